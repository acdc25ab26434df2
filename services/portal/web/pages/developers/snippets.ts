export const KEY_PLACEHOLDER = 'svc_live_…';

const PATH = '/api/accounts/sub';
const BODY = '{"displayName":"My bot","permissions":["view","trade"]}';

/** The first call with a key in each language: it opens a sub-account and prints the answer with its key. */
export function snippets(baseUrl: string, key: string) {
  const url = new URL(PATH, baseUrl).href;
  return [
    { language: 'curl', code: curl(url, key), run: 'Paste it into a terminal.' },
    { language: 'TypeScript', code: typescript(url, key), run: 'Save it as fleet.mts and run: npx tsx fleet.mts' },
    { language: 'Python', code: python(url, key), run: 'Save it as fleet.py and run: python3 fleet.py' },
  ];
}

const curl = (url: string, key: string): string =>
  `KEY='${key}'
curl -s -X POST '${url}' \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${BODY}'
`;

const typescript = (url: string, key: string): string =>
  `const key = '${key}';

const response = await fetch('${url}', {
  method: 'POST',
  headers: { Authorization: \`Bearer \${key}\`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ displayName: 'My bot', permissions: ['view', 'trade'] }),
});
console.log(response.status, await response.json());
`;

const python = (url: string, key: string): string =>
  `import json
from urllib.request import Request, urlopen

key = '${key}'

request = Request(
    '${url}',
    method='POST',
    headers={'Authorization': 'Bearer ' + key, 'Content-Type': 'application/json'},
    data=json.dumps({'displayName': 'My bot', 'permissions': ['view', 'trade']}).encode(),
)
with urlopen(request) as response:
    print(response.status, json.load(response))
`;
