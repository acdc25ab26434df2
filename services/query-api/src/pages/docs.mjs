/* global SwaggerUIBundle */

/** Swagger UI gives the choice between examples no name, so a screen reader could not say what it is. */
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
  // The default asks a validator on the Internet about the document.
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // A key is typed in for this visit, and kept nowhere.
  persistAuthorization: false,
});
