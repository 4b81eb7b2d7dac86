'use client';

// The root error page, inside the shell, so that its links work without reloading.
export { default } from '../error.tsx';
