import { describe, expect, test } from 'vitest'
import type { Branding } from '../../src/schema/scrape/branding-schema.ts'
import { openBrandingReader } from './programs/branding.ts'
import { forAll } from '../helpers/for-all.ts'

const reader = forAll(openBrandingReader)

const button = (style: string) =>
  reader.of(`<!doctype html><p>Some text to read.<p><button style="border:0;padding:12px 24px;${style}">Buy</button>`)
const withLogo = (svg: string) =>
  reader.of(`<!doctype html><style>.in{fill:#c00}</style><header><a href="/">${svg}</a></header><p>Text`)
const drawing = (points: number) =>
  `<svg class="logo" width="90" height="30"><path d="M0 0${'L12 34'.repeat(points)}"/></svg>`
const drawnIn = ({ logo }: Branding) => Buffer.from(logo?.split(',')[1] ?? '', 'base64').toString()

describe('colours', () => {
  // The expected values are worked out from the formulas of CSS Color 4, not taken from a browser.
  test.each([
    ['oklch(0.6 0.2 30)', '#DE3E2D'],
    ['color(display-p3 0.2 0.5 0.3)', '#008247'],
    ['lab(50% 60 -60)', '#AE47DF'],
    ['hsl(210 80% 40%)', '#1466B8'],
    ['rgba(200, 0, 0, 0.5)', '#E48080'],
    ['color-mix(in srgb, #f00 50%, #00f)', '#800080'],
    ['linear-gradient(90deg, #f00, #00f)', '#800080'],
  ])('a button painted %s is returned as %s', async (paint, expected) => {
    const { components } = await button(`background:${paint}`)
    expect(components?.buttonPrimary?.background).toBe(expected)
  })

  test('text over a picture does not change the background colour', async () => {
    const picture = `background:url(data:image/png;base64,iVBORw0KGgo=);color:#fff`
    const branding = await reader.of(
      `<!doctype html><div style="${picture}">${'Many white words. '.repeat(20)}</div><p style="color:#123">Few words.`,
    )
    expect(branding.colors).toMatchObject({ background: '#FFFFFF', textPrimary: '#112233' })
  })
})

describe('a logo drawn in the page', () => {
  const declared = `<script type="application/ld+json">{"logo":"https://site.test/logo.png"}</script>`

  test('is returned in both fields if it fits', async () => {
    const { logo, images } = await withLogo(declared + drawing(2000))
    expect(logo).toMatch(/^data:image\/svg/)
    expect(images?.logo).toBe(logo)
  })

  test('that is large is returned as its declared file, or in one field only', async () => {
    const large = await withLogo(declared + drawing(4000))
    expect([large.logo, large.images?.logo]).toEqual(['https://site.test/logo.png', 'https://site.test/logo.png'])
    const drawn = await withLogo(drawing(4000))
    expect(drawn.logo).toMatch(/^data:image\/svg/)
    expect(drawn.images?.logo).toBeUndefined()
    expect(JSON.stringify(drawn).length).toBeLessThan(50_000)
  })

  test('includes the symbol that it uses', async () => {
    const sheet = '<svg width="0" height="0"><symbol id="mark" viewBox="0 0 9 9"><path d="M1 2h3z"/></symbol></svg>'
    const branding = await withLogo(`${sheet}<svg class="in" width="90" height="30"><use href="#mark"/></svg>`)
    expect(drawnIn(branding)).toContain('<symbol id="mark" viewBox="0 0 9 9"><path d="M1 2h3z"/></symbol>')
    expect(drawnIn(branding)).toContain('fill="rgb(204, 0, 0)"')
  })

  test('is returned without code and without references to other files', async () => {
    const hooks =
      '<script>1</script><a href="https://evil.test/"><path onclick="x()" d="M1 2h3z"/></a><image href="/x.png"/>'
    const svg = drawnIn(await withLogo(`<svg width="90" height="30" onload="x()">${hooks}</svg>`))
    expect(svg).toContain('M1 2h3z')
    expect(svg).not.toMatch(/script|onclick|onload|evil|image/)
  })
})

describe('an unusual page', () => {
  const saboteur = `<script>
    window.getComputedStyle = () => { throw new Error('no') }
    for (const name of ['getBoundingClientRect', 'getAttribute', 'matches', 'closest']) Element.prototype[name] = () => { throw 1 }
    Object.defineProperty(Element.prototype, 'localName', { get() { throw 2 } })
    JSON.stringify = () => { throw 3 }
    Array.from = () => { for (;;); }
    performance.now = () => 0
  </script>`

  test('that overrides functions is read correctly', async () => {
    const branding = await reader.of(
      `<!doctype html>${saboteur}<body style="background:#fff;color:#234"><p>Text</p><a href="/x" style="display:inline-block;background:#0a7d33;color:#fff;padding:12px 24px">Buy now</a>`,
    )
    expect(branding).toMatchObject({
      colors: { background: '#FFFFFF', textPrimary: '#223344', primary: '#0A7D33' },
      components: { buttonPrimary: { background: '#0A7D33', textColor: '#FFFFFF' } },
    })
  })

  test('with 100,000 elements is described by its first elements', async () => {
    const branding = await reader.of(
      `<!doctype html><body style="color:#234"><p>Text</p><button style="background:#c00">Buy</button>${'<b>z</b>'.repeat(100_000)}`,
    )
    expect(branding).toMatchObject({ colors: { primary: '#CC0000', textPrimary: '#223344' } })
  })

  test('with an SVG logo of 5 MB has colours, but no logo', async () => {
    const path = 'h9v9h-9z '.repeat(500_000)
    const branding = await reader.of(
      `<!doctype html><body style="color:#234"><header><a href="/"><svg class="logo" width="100" height="30"><path d="M0 0${path}"/></svg></a></header><p>Text`,
    )
    expect(branding.colors?.textPrimary).toBe('#223344')
    expect(branding).not.toHaveProperty('logo')
  })

  test('with a huge head and huge styles returns at most 20 kB', async () => {
    const long = 'x'.repeat(5000)
    const links =
      `<link rel="icon" href="/${long}" sizes="${long}"><link rel="icon" href="/i.png" type="${long}">`.repeat(200)
    const cells = Array.from(
      { length: 500 },
      (_, at) => `<p style="font-family:F${at}${long};transition:all ${at}s">Text ${at}</p>`,
    )
    const branding = await reader.of(
      `<!doctype html>${links}<meta property="og:image" content="/${long}">${cells.join('')}`,
    )
    expect(JSON.stringify(branding).length).toBeLessThan(20_000)
  })

  test.each([
    ['an empty page', ''],
    ['a page of one picture', '<!doctype html><img src="/x.png">'],
    ['frames', '<frameset><frame src="about:blank"></frameset>'],
  ])('without styles (%s) is light with a white background', async (_, source) => {
    expect(await reader.of(source)).toMatchObject({ colorScheme: 'light', colors: { background: '#FFFFFF' } })
  })

  test('is not read after the caller has aborted', async () => {
    const reason = new Error('the caller left')
    await expect(reader.of('<p>Text', AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})
