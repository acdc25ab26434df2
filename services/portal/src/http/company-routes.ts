import { text } from '@paper/contracts';
import { targetOf } from '@paper/http';
import { z } from 'zod';
import type { PortalConfig } from '../base/config.ts';
import { CompanySignInRefused } from '../identity/company-provider.ts';
import { COMPANY_RETURN } from '../identity/company.ts';
import type { CompanyOutcome, CompanySignIn } from '../identity/company.ts';
import type { PortalParts } from './portal-parts.ts';
import { assertProof } from './app.ts';
import { beginSession } from './begin-session.ts';
import { browserHashOf, browserOf } from './cookies.ts';
import { PortalError } from '../base/errors.ts';
import { portalRoute } from './route.ts';
import type { PortalAnswer, PortalCall, RouteGroup } from './route.ts';

/** The company's name on pages; null if its people cannot sign in. */
export function companyName({ COMPANY_ISSUER, COMPANY_NAME }: PortalConfig): string | null {
  return COMPANY_ISSUER === undefined ? null : (COMPANY_NAME ?? 'your company');
}

/** The routes of sign-in by a company's issuer. Their redirects keep the page that the person came from, as `next`. */
export function companyRoutes(parts: PortalParts): RouteGroup {
  const { company } = parts;
  if (company === null) return {};
  return { routes: [start(parts, company), back(parts, company)] };
}

const startQuery = z.looseObject({ next: z.string().startsWith('/').max(2_000).optional().catch(undefined) });
// The issuer may add further parameters; the library reads the raw query.
const returnQuery = z.looseObject({ state: text(1, 500).optional() });

function start({ logger, site }: PortalParts, company: CompanySignIn) {
  return portalRoute('get', '/portal/company/start', 'nothing', { query: startQuery }, async (call, { query }) => {
    const { session } = call;
    const { next = null } = query;
    if (session !== null && isOfAnotherSite(call)) return redirect('/account?company=elsewhere');
    try {
      // For a signed-in person, this adds a means of sign-in, or proves who they are.
      if (session !== null && !(await company.isLinked(session.person.id))) assertProof(session);
      const browser = browserOf(call, site());
      const address = await company.begin(browser.hash, session?.id ?? null, next);
      return { ...redirect(address.href), cookies: browser.cookies };
    } catch (error) {
      if (error instanceof PortalError) return redirect('/account?company=proof');
      logger.warn({ err: error }, "the company's issuer does not answer");
      return session === null ? entry('/sign-in', 'unavailable', next) : redirect('/account?company=unavailable');
    }
  });
}

/**
 * Whether the browser says that another site asked for this call. Such a link lets a person sign in; in a session it
 * could link an identity that is not the person's.
 */
function isOfAnotherSite({ call: { request } }: PortalCall): boolean {
  const site = request.headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

function back(parts: PortalParts, company: CompanySignIn) {
  return portalRoute('get', COMPANY_RETURN, 'nothing', { query: returnQuery }, async (call) => {
    const { request } = call.call;
    let next: string | null = null;
    try {
      const browser = browserHashOf(request, parts.site());
      if (browser === null) throw new CompanySignInRefused('The browser began no visit.');
      const { search } = targetOf(request);
      const visit = await company.end(search, browser);
      next = visit.cameFrom;
      return await answer(parts, call, await company.finish(search, browser, visit), next);
    } catch (error) {
      const isRefused = error instanceof CompanySignInRefused || error instanceof PortalError;
      parts.logger[isRefused ? 'info' : 'warn']({ err: error }, 'a sign-in by the company was not finished');
      return entry('/sign-in', isRefused ? 'refused' : 'unavailable', next);
    }
  });
}

async function answer(parts: PortalParts, call: PortalCall, outcome: CompanyOutcome, next: string | null) {
  switch (outcome.kind) {
    case 'known': {
      const { cookies } = await beginSession(parts, call, outcome.personId);
      // The page Sign in leads a signed-in person on.
      const to = next === null ? redirect('/') : entry('/sign-in', 'done', next);
      return { ...to, cookies };
    }
    case 'linked':
      await parts.sessions.prove(outcome.sessionId);
      return redirect('/account?company=linked');
    case 'unproven':
      return redirect('/account?company=proof');
    case 'taken':
      return redirect('/account?company=taken');
    case 'new':
      return entry('/sign-up', 'new', next);
  }
}

function entry(page: '/sign-in' | '/sign-up', company: string, next: string | null): PortalAnswer {
  return redirect(`${page}?${new URLSearchParams({ company, ...(next === null ? {} : { next }) }).toString()}`);
}

const redirect = (location: string): PortalAnswer => ({ status: 303, headers: { location } });
