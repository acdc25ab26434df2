import { eventStoreUrlSetting } from '@paper/journal';
import { apiSetting, httpSettings } from '@paper/http';
import { processSettings, setting, storeSettings } from '@paper/runtime';
import { z } from 'zod';

/** The query API's settings, by the names of their variables. */
export const queryApiSettings = z.object({
  ...processSettings,
  ...storeSettings,
  JOURNAL_URL: eventStoreUrlSetting.optional(),
  ...httpSettings,
  /** The number of query APIs, this one included: each allows its share of a fleet's reads. */
  QUERY_APIS: setting.wholeNumber(1, 1_000).default(1),
  /** Only shown in answers: the command side decides by its own setting. */
  COMPLIANCE_MODE: apiSetting.complianceMode.default('paper'),
});
