import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

/** The default theme in the reader's own fonts. */
export default DefaultTheme;
