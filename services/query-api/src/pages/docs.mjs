/* global SwaggerUIBundle */

SwaggerUIBundle({
  url: new URL('openapi', location.href).href,
  domNode: document.getElementById('swagger-ui'),
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  // The default asks a validator on the Internet about the document.
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // A key is typed in for this visit, and kept nowhere.
  persistAuthorization: false,
});
