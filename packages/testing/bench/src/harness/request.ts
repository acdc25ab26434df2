/** Builds a whole HTTP/1.1 request for a `HttpConnection`. `key`: of an account or an operator. */
export function httpRequest(
  method: 'DELETE' | 'GET' | 'POST',
  path: string,
  {
    body,
    idempotencyKey,
    key,
  }: { readonly body?: object; readonly idempotencyKey?: string; readonly key?: string } = {},
): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...(key === undefined ? [] : [`authorization: Bearer ${key}`]),
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
    ...(idempotencyKey === undefined ? [] : [`idempotency-key: ${idempotencyKey}`]),
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}
