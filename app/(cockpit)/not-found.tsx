// The same page as outside, inside the shell: one can go elsewhere.
export { NothingHere as default } from '../_ui/state/not-found.tsx';
