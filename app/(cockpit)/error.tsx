'use client';

// The root error page, shown inside the cockpit's frame, so that navigation does not reload the document.
export { default } from '../error.tsx';
