export { default } from '../loading.tsx';
