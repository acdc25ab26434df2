import { hydrate, render } from 'preact';
import { findPage } from '../src/pages/paths.ts';
import './app/shared.ts';
import { App } from './app/app.tsx';
import { readBoot } from './base/boot.ts';
import { freeFormerTrees } from './base/free-former-trees.ts';
import { loadPage } from './app/page-modules.ts';
import { followHistory } from './base/returning.ts';
import { endHydration } from './ui/use-unique-id.ts';

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no element #app');
const found = findPage(location.pathname);
// A page that cannot be loaded shows the reason itself.
if (found !== null) await loadPage(found.name).catch(() => undefined);
followHistory();
freeFormerTrees();
const reads = new Map(Object.entries(readBoot().reads));
const app = <App reads={reads} />;
if (root.hasChildNodes()) hydrate(app, root);
else render(app, root);
endHydration();
// Pages that are opened later must read their own data.
reads.clear();
// `npm run bench -- portal` measures this mark: from now on the page answers to input.
performance.mark('interactive');
