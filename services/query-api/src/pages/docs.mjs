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

SwaggerUIBundle({
  url: new URL('openapi', location.href).href,
  domNode: document.getElementById('swagger-ui'),
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [namedExamples],
  layout: 'BaseLayout',
  deepLinking: true,
  // The default sends the document to a validator on the Internet.
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // A key that is typed in is forgotten with the page.
  persistAuthorization: false,
});
