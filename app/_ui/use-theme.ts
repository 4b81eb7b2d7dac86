'use client';
import { useSyncExternalStore } from 'react';
import { type Theme, themeFrom } from './theme.ts';

/** Several places offer the theme: all follow the attribute of the document. */
const onChange = (changed: () => void) => {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
};
const shown = () => themeFrom(document.documentElement.dataset.theme);

/** The theme that the page shows now; on the server and during hydration, `drawn`. */
export function useTheme(drawn: Theme): Theme {
  return useSyncExternalStore(onChange, shown, () => drawn);
}
