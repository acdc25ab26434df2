/* global SwaggerUIBundle */

/** Swagger UI gives the choice of examples no accessible name; a screen reader could not announce it. */
const namedExamples = ({ React }) => ({
  wrapComponents: {
    ExamplesSelect: (Original) => (props) =>
      React.createElement(
        'label',
        null,
        props.showLabels ? null : React.createElement('span', null, 'Example: '),
        React.createElement(Original, props),
      ),
  },
});

/** Shows the colors chosen on the portal's pages, else the system's. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => {
  const [, chosen = dark.matches ? 'dark' : 'light'] = /(?:^|; )paper-theme=(light|dark)/.exec(document.cookie) ?? [];
  document.documentElement.classList.toggle('dark-mode', chosen === 'dark');
};
dark.addEventListener('change', paint);
paint();

/** The person who is signed in to the portal at this address; null if nobody is, or there is no portal. */
const readPerson = async () => {
  try {
    const answer = await fetch('/portal/session');
    return answer.ok ? (await answer.json()).person : null;
  } catch {
    return null;
  }
};

/** The operations that the portal forwards with a person's key: all that need a key without the permission `master`. */
const passedOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { description, security = [] }]) => {
        return security.some((scheme) => 'apiKey' in scheme) && !description.includes('Permission: `master`');
      })
      .map(([method]) => ({
        method: method.toUpperCase(),
        path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      })),
  );

const [person, openapi] = await Promise.all([readPerson(), fetch('openapi').then((answer) => answer.json())]);
const passed = person === null ? [] : passedOf(openapi);
const note = document.getElementById('session');
if (person !== null && note !== null) {
  note.textContent = `Requests go as ${person.displayName}, by your session. Those with a key under Authorize go with that key.`;
}

/** Sends a request that needs a key, and has none, with the person's session; so no stored key enters the browser. */
const bySession = (request) => {
  const url = new URL(request.url, location.href);
  const { method = 'GET', headers = {} } = request;
  const hasKey = Object.keys(headers).some((name) => /^(authorization|x-api-key)$/i.test(name));
  if (hasKey || !passed.some((one) => one.method === method && one.path.test(url.pathname))) return request;
  url.pathname = url.pathname.replace(/^\/api\//, '/portal/as/me/');
  request.url = url.href;
  return request;
};

SwaggerUIBundle({
  spec: openapi,
  requestInterceptor: bySession,
  domNode: document.getElementById('swagger-ui'),
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [namedExamples],
  layout: 'BaseLayout',
  deepLinking: true,
  // By default the document would be sent to a validator on the Internet.
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // A typed key is forgotten when the page is left.
  persistAuthorization: false,
});
