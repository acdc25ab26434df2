export { default } from '../portfolio/portfolio.tsx';
