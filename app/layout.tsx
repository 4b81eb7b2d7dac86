import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { Toaster } from './_ui/overlay/toaster.tsx';
import { TooltipLayer } from './_ui/overlay/tooltip-layer.tsx';
import { THEME_COOKIE, themeFrom } from './_ui/theme.ts';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Atelier', template: '%s · Atelier' },
  description: 'Ce que votre équipe sait de sa marque, et les fichiers qu’elle en fait.',
  robots: { index: false },
  manifest: '/manifest.webmanifest',
  icons: { apple: '/apple-touch-icon.png' },
};

export const viewport: Viewport = {
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
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      data-theme={theme === 'system' ? undefined : theme}
    >
      <body>
        {children}
        <Toaster />
        <TooltipLayer />
      </body>
    </html>
  );
}
