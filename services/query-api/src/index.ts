export { EmailConfigured } from './email-configured.ts';
export { pagesOf } from './journal/page-bytes.ts';
export { PageThread } from './journal/page-thread.ts';
export { sealCursor, type CursorScope } from './paging/cursor.ts';
export { loadPages } from './pages/pages.ts';
export { createQuerySide, type QuerySide } from './query-side.ts';
export { queryApiSettings } from './config.ts';
