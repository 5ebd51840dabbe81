import { expect, test } from 'vitest'
import { openBrandingReader } from './programs/branding.ts'
import { forAll } from '../helpers/for-all.ts'

const reader = forAll(openBrandingReader)

test('the design of a landing page with oklch colours, an SVG logo styled by CSS and a cookie banner is read', async () => {
  const { logo, ...branding } = await reader.at('/brands/saas')
  const svg = Buffer.from(logo?.replace('data:image/svg+xml;base64,', '') ?? '', 'base64').toString()
  expect(svg).toBe(
    '<svg width="120" height="28" viewBox="0 0 120 28" color="#7C3AED" fill="#7C3AED" stroke="none" stroke-width="1px" xmlns="http://www.w3.org/2000/svg"><title>Tidemark</title><path d="M0 14q15-20 30 0t30 0v14H0z"/><rect x="70" y="8" width="50" height="12"/></svg>',
  )
  expect(branding).toEqual({
    colorScheme: 'light',
    colors: {
      primary: '#7C3AED',
      accent: '#7C3AED',
      background: '#FFFFFF',
      textPrimary: '#0F172A',
      textSecondary: '#475569',
      link: '#7C3AED',
    },
    fonts: [
      { family: 'Inter', role: 'body' },
      { family: 'Sora', role: 'heading' },
    ],
    typography: {
      fontFamilies: { primary: 'Inter', heading: 'Sora' },
      fontSizes: { h1: '56px', h2: '36px', h3: '20px', body: '16px' },
      fontWeights: { regular: 400, medium: 500, bold: 700 },
      lineHeights: { heading: 1.2, body: 1.5 },
    },
    spacing: {
      baseUnit: 8,
      borderRadius: '12px',
      padding: { buttonHorizontal: 24, inputHorizontal: 16, section: 96 },
      margins: { heading: 8, paragraph: 16 },
    },
    components: {
      buttonPrimary: { background: '#7C3AED', textColor: '#FFFFFF', borderRadius: '12px' },
      buttonSecondary: { background: '#FFFFFF', textColor: '#0F172A', borderColor: '#CBD5E1', borderRadius: '12px' },
      input: { background: '#FFFFFF', textColor: '#0F172A', borderColor: '#CBD5E1', borderRadius: '12px' },
    },
    icons: {
      style: 'outline',
      library: 'Lucide',
      primaryColor: '#7C3AED',
      favicons: [
        { href: '/favicon-32.png', rel: 'icon', sizes: '32x32', type: 'image/png' },
        { href: '/favicon.svg', rel: 'icon', type: 'image/svg+xml' },
        { href: '/touch.png', rel: 'apple-touch-icon', sizes: '180x180' },
      ],
    },
    images: { logo, favicon: '/favicon.svg', ogImage: '/social.png' },
    animations: { transitionDuration: '0.15s', easing: 'ease-in-out' },
    layout: { grid: { columns: 3, maxWidth: '1152px' }, headerHeight: '72px', footerHeight: '121px' },
    personality: { density: 'spacious', roundness: 'soft', contrast: 'high', colorfulness: 'vivid' },
  })
})

test('the design of a Japanese page with colours in style variables is read', async () => {
  expect(await reader.at('/brands/corporate')).toEqual({
    colorScheme: 'light',
    logo: '/img/logo.png',
    colors: {
      primary: '#0050A0',
      secondary: '#00A29A',
      accent: '#00A29A',
      background: '#FFFFFF',
      textPrimary: '#333333',
      textSecondary: '#767676',
      link: '#0050A0',
      success: '#21C45D',
      warning: '#F5A200',
      error: '#D7000F',
    },
    fonts: [{ family: 'Noto Sans JP', role: 'body' }],
    typography: {
      fontFamilies: { primary: 'Noto Sans JP', heading: 'Noto Sans JP' },
      fontSizes: { h1: '40px', h2: '28px', body: '16px' },
      fontWeights: { regular: 400, medium: 500, bold: 700 },
      lineHeights: { heading: 1.4, body: 1.8 },
    },
    spacing: {
      baseUnit: 8,
      borderRadius: '4px',
      padding: { buttonVertical: 12, buttonHorizontal: 24, section: 64 },
      margins: { heading: 32, paragraph: 16 },
    },
    components: {
      buttonPrimary: { background: '#0050A0', textColor: '#FFFFFF', borderRadius: '4px' },
      buttonSecondary: { background: '#00A29A', textColor: '#FFFFFF', borderRadius: '4px' },
    },
    icons: { favicons: [{ href: '/favicon.ico', rel: 'icon', sizes: 'any' }] },
    images: { logo: '/img/logo.png', favicon: '/favicon.ico' },
    layout: { grid: { maxWidth: '1100px' }, headerHeight: '88px', footerHeight: '121px' },
    personality: { density: 'spacious', roundness: 'soft', contrast: 'medium', colorfulness: 'vivid' },
  })
})
