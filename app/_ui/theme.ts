export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const THEME_COOKIE = 'theme';

/** Reads the cookie's value; anything else than a known theme follows the system. */
export function themeFrom(value: string | undefined): Theme {
  return THEMES.find((theme) => theme === value) ?? 'system';
}

const YEAR_SECONDS = 31_536_000;

/** Applies a theme at once and keeps it: the server reads the cookie, so that the next page never flashes. In a browser alone. */
export function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  // biome-ignore lint/suspicious/noDocumentCookie: a preference, read by the server; the Cookie Store API is not everywhere
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}
