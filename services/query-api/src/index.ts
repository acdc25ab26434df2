export { EmailConfigured } from './email-configured.ts';
export { pagesOf } from './journal/page-bytes.ts';
export { PageThread } from './journal/page-thread.ts';
export { cursorScope, sealCursor, type CursorScope } from './paging/cursor.ts';
export { loadPages } from './pages/pages.ts';
export { createQuerySide, type QuerySide, type QuerySideSettings } from './query-side.ts';
export { queryApiSettings } from './config.ts';
