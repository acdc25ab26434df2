/**
 * Continues with a value: at once if it is no promise, else when the promise resolves. So a request whose answer is in
 * memory is answered without a promise.
 */
export function andThen<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
