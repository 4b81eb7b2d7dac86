export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const THEME_COOKIE = 'theme';

/** Reads the value of the cookie; any value but a known theme follows the system. */
export function themeFrom(value: string | undefined): Theme {
  return THEMES.find((theme) => theme === value) ?? 'system';
}

const YEAR_SECONDS = 31_536_000;

/** Applies a theme at once and stores it in a cookie, which the server reads, so that the next page does not flash. In a browser only. */
export function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  // biome-ignore lint/suspicious/noDocumentCookie: a preference, read by the server; the Cookie Store API is not everywhere
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}
