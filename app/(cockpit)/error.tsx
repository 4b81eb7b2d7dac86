'use client';

// The same page as outside, inside the shell: one can go elsewhere without reloading.
export { default } from '../error.tsx';
