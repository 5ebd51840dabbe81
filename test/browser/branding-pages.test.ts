import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrandingReader, openBrandingReader } from './programs/branding.ts'

let reader: BrandingReader
beforeAll(async () => {
  reader = await openBrandingReader()
})
afterAll(() => reader.close())

test('light landing page: oklch colours, an svg logo painted by the style sheet, a cookie banner in the way', async () => {
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
      buttonSecondary: {
        background: '#FFFFFF',
        textColor: '#0F172A',
        borderColor: '#CBD5E1',
        borderRadius: '12px',
      },
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

test('dark documentation: translucent surfaces, code, a sidebar, admonitions', async () => {
  expect(await reader.at('/brands/docs')).toEqual({
    colorScheme: 'dark',
    logo: '/basalt-wordmark.svg',
    colors: {
      primary: '#22D3EE',
      accent: '#22D3EE',
      background: '#0B0F14',
      textPrimary: '#E6EDF3',
      textSecondary: '#8B98A5',
      link: '#22D3EE',
      warning: '#D29922',
      error: '#F85149',
    },
    fonts: [
      { family: 'IBM Plex Sans', role: 'body' },
      { family: 'JetBrains Mono', role: 'code' },
    ],
    typography: {
      fontFamilies: { primary: 'IBM Plex Sans', heading: 'IBM Plex Sans', code: 'JetBrains Mono' },
      fontSizes: { h1: '36px', h2: '24px', body: '16px' },
      fontWeights: { regular: 400, bold: 600 },
      lineHeights: { heading: 1.25, body: 1.75 },
    },
    spacing: {
      baseUnit: 8,
      borderRadius: '6px',
      padding: { buttonVertical: 8, buttonHorizontal: 16, section: 32 },
      margins: { heading: 16, paragraph: 16 },
    },
    components: {
      buttonPrimary: { background: '#22D3EE', textColor: '#0B0F14', borderRadius: '6px' },
      buttonSecondary: {
        background: '#171B20',
        textColor: '#8B98A5',
        borderColor: '#303337',
        borderRadius: '6px',
      },
    },
    icons: { favicons: [{ href: '/icon.png', rel: 'icon', sizes: '64x64' }] },
    images: { logo: '/basalt-wordmark.svg', favicon: '/icon.png' },
    animations: { transitionDuration: '0.2s', easing: 'ease' },
    layout: { grid: { maxWidth: '768px' }, headerHeight: '64px', sidebar: 'left' },
    personality: { density: 'comfortable', roundness: 'soft', contrast: 'high', colorfulness: 'vivid' },
  })
})

test('shop: the colour of the frame and the header is the brand, the button its accent', async () => {
  expect(await reader.at('/brands/shop')).toEqual({
    colorScheme: 'light',
    logo: '/structured-logo.png',
    colors: {
      primary: '#14532D',
      secondary: '#EA580C',
      accent: '#EA580C',
      background: '#FFFDF7',
      textPrimary: '#292524',
      link: '#14532D',
      success: '#15803D',
      error: '#B91C1C',
    },
    fonts: [
      { family: 'Lato', role: 'body' },
      { family: 'Playfair Display', role: 'heading' },
    ],
    typography: {
      fontFamilies: { primary: 'Lato', heading: 'Playfair Display' },
      fontSizes: { h1: '40px', h3: '18px', body: '15px' },
      fontWeights: { regular: 400, bold: 700 },
      lineHeights: { heading: 1.2, body: 1.6 },
    },
    spacing: {
      baseUnit: 5,
      borderRadius: '0px',
      padding: {
        buttonVertical: 15,
        buttonHorizontal: 30,
        inputVertical: 10,
        inputHorizontal: 10,
        section: 40,
      },
      margins: { heading: 10, paragraph: 10 },
    },
    components: {
      buttonPrimary: { background: '#EA580C', textColor: '#FFFFFF', borderRadius: '0px' },
      buttonSecondary: {
        background: '#FFFDF7',
        textColor: '#14532D',
        borderColor: '#14532D',
        borderRadius: '0px',
      },
      input: { background: '#FFFFFF', textColor: '#292524', borderRadius: '0px' },
    },
    icons: { favicons: [{ href: '/fav.ico', rel: 'shortcut icon' }] },
    images: { logo: '/structured-logo.png', favicon: '/fav.ico' },
    layout: { grid: { columns: 4, maxWidth: '1200px' }, headerHeight: '86px', footerHeight: '104px' },
    personality: { density: 'comfortable', roundness: 'sharp', contrast: 'high', colorfulness: 'vivid' },
  })
})

test('newspaper: black on paper, a masthead in type, one red mark', async () => {
  expect(await reader.at('/brands/newspaper')).toEqual({
    colorScheme: 'light',
    logo: '/apple-touch-icon.png',
    colors: {
      primary: '#1A1A1A',
      accent: '#B3131B',
      background: '#FAF7F2',
      textPrimary: '#1A1A1A',
      textSecondary: '#6B6B6B',
      link: '#1A1A1A',
    },
    fonts: [
      { family: 'Source Serif 4', role: 'body' },
      { family: 'Chomsky', role: 'body' },
      { family: 'Franklin Gothic', role: 'body' },
    ],
    typography: {
      fontFamilies: { primary: 'Source Serif 4', heading: 'Source Serif 4' },
      fontSizes: { h2: '28px', body: '17px' },
      fontWeights: { regular: 400, bold: 700 },
      lineHeights: { heading: 1.15, body: 1.55 },
    },
    spacing: {
      baseUnit: 12,
      borderRadius: '0px',
      padding: { buttonVertical: 12, buttonHorizontal: 18 },
      margins: { heading: 12, paragraph: 12 },
    },
    components: { buttonPrimary: { background: '#1A1A1A', textColor: '#FFFFFF', borderRadius: '0px' } },
    icons: {
      favicons: [
        { href: '/favicon.ico', rel: 'icon' },
        { href: '/apple-touch-icon.png', rel: 'apple-touch-icon' },
      ],
    },
    images: { logo: '/apple-touch-icon.png', favicon: '/favicon.ico' },
    layout: { grid: { columns: 3, maxWidth: '1140px' }, headerHeight: '87px' },
    personality: { density: 'comfortable', roundness: 'sharp', contrast: 'high', colorfulness: 'vivid' },
  })
})

test('Japanese company: colours from style variables', async () => {
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
