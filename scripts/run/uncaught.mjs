// Node ends with 1 after an uncaught error, but of a measurement 1 means that it ran, and missed a bar or found a fault.
process.on('uncaughtException', (error) => {
  console.error(error);
  process.exit(2);
});
