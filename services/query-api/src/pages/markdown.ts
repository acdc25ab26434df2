/** Converts our own Markdown to HTML: headings, paragraphs, lists, tables, code and links; all text is escaped. */
export function markdownToHtml(markdown: string): string {
  const html: string[] = [];
  const lines = markdown.split('\n');
  while (lines.length > 0) {
    const [line = ''] = lines;
    const heading = /^(#{1,6}) (.*)$/.exec(line);
    if (line.trim() === '') {
      lines.shift();
    } else if (heading !== null) {
      lines.shift();
      const level = heading[1]?.length ?? 1;
      html.push(`<h${level}>${inline(heading[2] ?? '')}</h${level}>`);
    } else if (line.startsWith('```')) {
      html.push(fenced(lines));
    } else if (line.startsWith('|')) {
      html.push(table(take(lines, (one) => one.startsWith('|'))));
    } else if (line.startsWith('- ')) {
      html.push(list(take(lines, (one) => /^(- | {2})/.test(one))));
    } else {
      html.push(`<p>${inline(take(lines, (one) => !/^(\s*$|#|\||- |```)/.test(one)).join(' '))}</p>`);
    }
  }
  return html.join('\n');
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function take(lines: string[], belongs: (line: string) => boolean): string[] {
  const end = lines.findIndex((line, at) => at > 0 && !belongs(line));
  return lines.splice(0, end === -1 ? lines.length : end);
}

function fenced(lines: string[]): string {
  const [, ...code] = take(lines, (line) => !line.startsWith('```'));
  lines.shift();
  return `<pre tabindex="0"><code>${escapeHtml(code.join('\n'))}</code></pre>`;
}

function list(lines: readonly string[]): string {
  const items = lines.join('\n').split(/^- /m).slice(1);
  return `<ul>${items.map((item) => `<li>${inline(item.replace(/\s+/g, ' ').trim())}</li>`).join('')}</ul>`;
}

function table([head = '', , ...rows]: readonly string[]): string {
  const row = (line: string, tag: 'td' | 'th'): string => {
    const cells = line.replace(/^\||\|\s*$/g, '').split('|');
    return `<tr>${cells.map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`).join('')}</tr>`;
  };
  const body = rows.map((line) => row(line, 'td')).join('');
  return `<div class="wide" tabindex="0"><table><thead>${row(head, 'th')}</thead><tbody>${body}</tbody></table></div>`;
}

function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (/^`.+`$/.test(part) ? `<code>${escapeHtml(part.slice(1, -1))}</code>` : links(part)))
    .join('');
}

/** Keeps only the text of links to files of the repository, which would be broken here. */
function links(text: string): string {
  return escapeHtml(text).replace(/\[([^\]]*)\]\(([^)\s]*)\)/g, (_whole, words: string, to: string) =>
    /^https?:/.test(to) ? `<a href="${to}" rel="noopener noreferrer">${words}</a>` : words,
  );
}
