/** The deletions of a portal as a process of its own, to be killed. Settings: DATABASE_URL, API_URL. */
import { createLogger } from '@paper/runtime';
import { Deletions } from '../../src/accounts/deletion.ts';
import { connectPortal } from '../../src/base/database.ts';
import { Apis } from '../../src/keys/api.ts';

const { API_URL: apiUrl = '', DATABASE_URL: databaseUrl = '' } = process.env;
const db = connectPortal(databaseUrl, () => undefined);
const apis = new Apis(() => apiUrl, 'an-operator-token-for-tests');
new Deletions(db, apis, createLogger({ name: 'deletions', level: 'silent' }, process.stderr)).start();
