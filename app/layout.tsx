import type { Metadata, Viewport } from 'next';
import localFont from 'next/font/local';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { Toaster } from './_ui/overlay/toaster.tsx';
import { TooltipLayer } from './_ui/overlay/tooltip-layer.tsx';
import { SharedParts } from './_ui/shell/shared-parts.ts';
import { THEME_COOKIE, themeFrom } from './_ui/theme.ts';
import './globals.css';

// Geist as the languages of Europe need it, in the weights that pages use (docs/decisions/0037-page-weight.md).
const sans = localFont({
  src: './_ui/fonts/geist.woff2',
  variable: '--font-geist-sans',
  weight: '400 700',
});
const mono = localFont({
  src: './_ui/fonts/geist-mono.woff2',
  variable: '--font-geist-mono',
  weight: '400 700',
  adjustFontFallback: false,
  fallback: [
    'ui-monospace',
    'SFMono-Regular',
    'Roboto Mono',
    'Menlo',
    'Monaco',
    'Liberation Mono',
    'DejaVu Sans Mono',
    'Courier New',
    'monospace',
  ],
});

export const metadata: Metadata = {
  title: { default: 'Atelier', template: '%s · Atelier' },
  description: 'Ce que votre équipe sait de sa marque, et les fichiers qu’elle en fait.',
  robots: { index: false },
  manifest: '/manifest.webmanifest',
  icons: { apple: '/apple-touch-icon.png' },
};

export const viewport: Viewport = {
  // The page lies under notches and the home indicator: what stays in sight keeps clear of them (globals.css, --safe-…).
  viewportFit: 'cover',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f7f5f1' },
    { media: '(prefers-color-scheme: dark)', color: '#141311' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = themeFrom((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <html
      lang="fr"
      className={`${sans.variable} ${mono.variable}`}
      data-theme={theme === 'system' ? undefined : theme}
    >
      <body>
        {children}
        <Toaster />
        <TooltipLayer />
        <SharedParts />
      </body>
    </html>
  );
}
