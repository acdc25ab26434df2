/** Exit code 0 when the service of this container answers on its METRICS_PORT, else 1: the images have no curl. */
const answer = await fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/health/live`).catch(() => null);
process.exit(answer?.ok === true ? 0 : 1);
