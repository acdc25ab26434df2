import { journalSettings } from '@paper/journal';
import { apiSetting, httpSettings } from '@paper/http';
import { described, processSettings, setting, storeSettings } from '@paper/runtime';
import { z } from 'zod';

export const queryApiSettings = z.object({
  ...processSettings,
  ...storeSettings,
  ...journalSettings,
  ...httpSettings,
  QUERY_APIS: described(
    setting.wholeNumber(1, 1_000).default(1),
    "how many there are, this one included: each allows its share of a fleet's reads",
  ),
  COMPLIANCE_MODE: described(
    // Only shown in answers; the command side uses its own setting.
    apiSetting.complianceMode.default('paper'),
    'kyc: orders only of accounts that the operator approved',
  ),
});
