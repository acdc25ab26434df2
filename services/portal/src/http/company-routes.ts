import { text } from '@paper/contracts';
import { z } from 'zod';
import type { PortalConfig } from '../base/config.ts';
import { CompanySignInRefused } from '../identity/company-provider.ts';
import { COMPANY_RETURN } from '../identity/company.ts';
import type { CompanyOutcome, CompanySignIn } from '../identity/company.ts';
import type { PortalParts } from './portal-parts.ts';
import { assertProof } from './app.ts';
import { beginSession } from './begin-session.ts';
import { browserOf, knownBrowser } from './browser-cookie.ts';
import { PortalError } from '../base/errors.ts';
import { portalRoute } from './route.ts';
import type { PortalAnswer, PortalCall, RouteGroup } from './route.ts';

/** The company's name on pages; null where its people cannot sign in. */
export function companyName({ COMPANY_ISSUER, COMPANY_NAME }: PortalConfig): string | null {
  return COMPANY_ISSUER === undefined ? null : (COMPANY_NAME ?? 'your company');
}

/**
 * Sign-in by the company's issuer. Browsers are redirected to these addresses, which redirect to one of a few fixed
 * pages: no target comes from the request.
 */
export function companyRoutes(parts: PortalParts): RouteGroup {
  const { company } = parts;
  if (company === null) return {};
  return { routes: [start(parts, company), back(parts, company)] };
}

function start({ logger, site }: PortalParts, company: CompanySignIn) {
  return portalRoute({
    method: 'get',
    path: '/portal/company/start',
    needs: 'nothing',
    handler: async (call) => {
      const { session } = call;
      try {
        // For a signed-in person, this links the identity to them, which adds a means of sign-in, or proves that it is
        // them.
        if (session !== null && !(await company.isLinked(session.person.id))) assertProof(session);
        const browser = browserOf(call, site());
        const address = await company.begin(browser.hash, session?.id ?? null);
        return { ...redirect(address.href), cookies: browser.cookies };
      } catch (error) {
        if (error instanceof PortalError) return redirect('/account?company=proof');
        logger.warn({ err: error }, "the company's issuer does not answer");
        return redirect(session === null ? '/sign-in?company=unavailable' : '/account?company=unavailable');
      }
    },
  });
}

function back(parts: PortalParts, company: CompanySignIn) {
  return portalRoute({
    method: 'get',
    path: COMPANY_RETURN,
    needs: 'nothing',
    // The issuer may add further parameters; the library reads the raw query.
    query: z.looseObject({ state: text(1, 500).optional() }),
    handler: async (call) => {
      const { request } = call.call;
      try {
        const browser = knownBrowser(request, parts.site());
        if (browser === null) throw new CompanySignInRefused('The browser began no visit.');
        const { search } = new URL(request.url ?? '', parts.site().origin);
        return await answer(parts, call, await company.finish(search, browser));
      } catch (error) {
        const isRefused = error instanceof CompanySignInRefused || error instanceof PortalError;
        parts.logger[isRefused ? 'info' : 'warn']({ err: error }, 'a sign-in by the company was not finished');
        return redirect(`/sign-in?company=${isRefused ? 'refused' : 'unavailable'}`);
      }
    },
  });
}

async function answer(parts: PortalParts, call: PortalCall, outcome: CompanyOutcome): Promise<PortalAnswer> {
  switch (outcome.kind) {
    case 'known': {
      const { cookies } = await beginSession(parts, call, outcome.personId);
      return { ...redirect('/'), ...(cookies === undefined ? {} : { cookies }) };
    }
    case 'linked':
      await parts.sessions.prove(outcome.sessionId);
      return redirect('/account?company=linked');
    case 'unproven':
      return redirect('/account?company=proof');
    case 'taken':
      return redirect('/account?company=taken');
    case 'new':
      return redirect('/sign-up?company=new');
  }
}

function redirect(location: string): PortalAnswer {
  return { status: 303, headers: { location } };
}
