// The common « not found » page, shown inside the cockpit's frame, so that the navigation stays.
export { NothingHere as default } from '../_ui/state/not-found.tsx';
