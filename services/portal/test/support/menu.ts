import type { Page } from '@paper/testkit/browser';

/** The menu in the head of a page, opened. */
export async function openMenu(page: Page): Promise<ReturnType<Page['locator']>> {
  const button = page.getByRole('banner').getByRole('button', { name: 'Menu' });
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await menu.waitFor();
  return menu;
}

/** Opens a page by its link in the menu, which is there once the person is known. */
export async function openFromMenu(page: Page, name: string): Promise<void> {
  await (await openMenu(page)).getByRole('link', { name, exact: true }).click();
}

/** Waits until the head says who is signed in. */
export async function whenSignedIn(page: Page): Promise<void> {
  await page.locator('.menu-button .name').waitFor();
}

export async function signOut(page: Page): Promise<void> {
  await (await openMenu(page)).getByRole('button', { name: 'Sign out' }).click();
  await page.locator('.menu-button .name').waitFor({ state: 'detached' });
}
