import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it, test } from 'vitest'
import { namesConsentManager } from '../../src/engine/html/hidden/consent-banners.ts'
import { page, prose } from './frame.ts'
import { read } from './read.ts'

const words = 'We value your privacy'
const buttons = '<button>Accept all</button> <button>Reject all</button>'
const asks = `<h2>${words}</h2><p>We and our partners use cookies. <a href="/policy">Cookie policy</a></p>${buttons}`

/** Banners as the scripts of consent managers write them into pages. */
const banners: Readonly<Record<string, string>> = {
  OneTrust: `<div id="onetrust-consent-sdk"><div class="onetrust-pc-dark-filter"></div><div id="onetrust-banner-sdk" role="dialog">${asks}</div></div>`,
  Cookiebot: `<div id="CybotCookiebotDialog" class="CybotEdge" role="dialog">${asks}</div><div id="CybotCookiebotDialogBodyUnderlay"></div>`,
  Didomi: `<div id="didomi-host" data-nosnippet="true"><div class="didomi-popup-container">${asks}</div></div>`,
  Quantcast: `<div class="qc-cmp2-container" id="qc-cmp2-container"><div class="qc-cmp2-main" id="qc-cmp2-main">${asks}</div></div>`,
  Usercentrics: `<div id="usercentrics-root"><div role="dialog">${asks}</div></div>`,
  TrustArc: `<div id="truste-consent-track" style="display: block"><div id="truste-consent-content">${asks}</div></div>`,
  Complianz: `<div id="cmplz-cookiebanner-container"><div class="cmplz-cookiebanner cmplz-bottom-right optin">${asks}</div></div>`,
  CookieYes: `<div class="cky-consent-container cky-banner-bottom"><div class="cky-consent-bar">${asks}</div></div>`,
  Osano: `<div class="osano-cm-window"><div class="osano-cm-dialog osano-cm-window__dialog" role="dialog">${asks}</div></div>`,
  Klaro: `<div id="klaro"><div class="klaro"><div class="cookie-notice">${asks}</div></div></div>`,
  iubenda: `<div id="iubenda-cs-banner" class="iubenda-cs-default-floating"><div class="iubenda-cs-container">${asks}</div></div>`,
  Termly: `<div id="termly-code-snippet-support"><div class="termly-styles-root-c21a9b">${asks}</div></div>`,
  Axeptio: `<div id="axeptio_overlay"><div class="axeptio_mount"><div class="axeptio_widget">${asks}</div></div></div>`,
  tarteaucitron: `<div id="tarteaucitronRoot"><div id="tarteaucitronAlertBig">${asks}</div></div>`,
  'Cookie-Script': `<div id="cookiescript_injected" class="cookiescript_bottom">${asks}</div>`,
  Sourcepoint: `<div id="sp_message_container_1234567"><div class="message">${asks}</div></div>`,
  Borlabs: `<div id="BorlabsCookieBox" class="BorlabsCookie"><div class="cookie-box">${asks}</div></div>`,
  'Cookie Notice': `<div id="cookie-notice" role="dialog" class="cookie-notice-hidden cn-position-bottom"><div class="cookie-notice-container">${asks}</div></div>`,
  'GDPR Cookie Consent': `<div id="cookie-law-info-bar" data-nosnippet="true"><span>${asks}</span></div>`,
  Moove: `<aside id="moove_gdpr_cookie_info_bar" class="moove-gdpr-info-bar-hidden">${asks}</aside>`,
  consentmanager: `<div id="cmpwrapper"><div id="cmpbox" class="cmpbox cmpstyleroot">${asks}</div></div>`,
  CookieConsent: `<div role="dialog" aria-describedby="cookieconsent:desc" class="cc-window cc-banner">${asks}</div>`,
  Consentmo: `<csm-cookie-consent><div class="csm-wrapper">${asks}</div></csm-cookie-consent>`,
  'home-made': `<div class="cookie-banner bottom">${asks}</div>`,
  'home-made element': `<cookie-consent>${asks.replaceAll('<button>', '<a role="button" href="#">').replaceAll('</button>', '</a>')}</cookie-consent>`,
}

const around = (banner: string) => page(`<main><h1>Harbour</h1>${prose('the harbour')}</main>${banner}`)

describe('a banner that asks for consent', () => {
  it.each(Object.entries(banners))('is removed from markdown and html while ads are blocked: %s', (_, banner) => {
    const { markdown = '', html = '' } = read(around(banner), ['markdown', 'html'], { blockAds: true })
    for (const text of [markdown, html]) {
      expect(text).not.toMatch(/privacy|Reject|policy|partners/)
      expect(text).toContain('about the harbour')
      expect(text).toContain('Copyright Brand')
    }
  })

  it.each(Object.entries(banners))('stays if ads are not blocked: %s', (_, banner) => {
    expect(read(around(banner), ['markdown'], { blockAds: false }).markdown).toContain(words)
  })

  it('is returned if the caller selects it', () => {
    const options = { blockAds: true, includeTags: ['#onetrust-consent-sdk'] }
    expect(read(around(banners['OneTrust']!), ['markdown'], options).markdown).toContain(words)
  })
})

it.each([
  [
    'a chapter about cookies',
    `<section id="cookie-notice"><h2>Cookie notice</h2><p>We use cookies. You accept them or not.</p></section>`,
  ],
  [
    'a policy',
    `<div class="cookie-policy"><h2>Cookies</h2><p>We set cookies. <a href="/a">Accept or reject them</a></p></div>`,
  ],
  [
    'the declaration of Cookiebot',
    `<div id="CookieDeclaration"><h2>Cookies</h2><p>Your consent applies here.</p></div>`,
  ],
  ['a shop', `<div class="cookie-box"><h2>Cookies</h2><p>Baked today.</p><button>Allow me two</button></div>`],
  [
    'a page in a box named like a banner',
    `<div class="cookie-banner"><main><h2>Cookies</h2><p>Of the page.</p>${buttons}</main></div>`,
  ],
])('text about consent stays: %s', (_, body) => {
  expect(read(page(body), ['markdown'], { blockAds: true }).markdown).toContain('## Cookie')
})

type Rule = { name: string; prehideSelectors?: string[]; runContext?: { urlPattern?: string } }

/** The names in selectors of one name: `#id`, `.class` or `an-element`. Others may depend on the state of the page. */
const plainNames = ({ prehideSelectors = [] }: Rule) =>
  prehideSelectors
    .flatMap((selectors) => selectors.split(','))
    .flatMap((selector) => /^\s*(?:[#.]([\w-]+)|([a-z]+-[a-z-]+))\s*$/.exec(selector)?.slice(1) ?? [])
    .filter((name) => name !== undefined)
    .map((name) => name.toLowerCase())

test('the HTML reader knows the selectors that the browser script hides, for each known consent manager', () => {
  const path = createRequire(import.meta.url).resolve('@duckduckgo/autoconsent/rules/rules.json')
  const { autoconsent } = JSON.parse(readFileSync(path, 'utf8')) as { autoconsent: Rule[] }
  const general = autoconsent.filter(({ name, runContext }) => !runContext?.urlPattern && !name.startsWith('auto_'))
  const ours = general.filter((rule) => namesConsentManager(plainNames(rule)))
  expect(ours.length).toBeGreaterThan(40)
  // Names that mean other things on other pages.
  const tooCommon = ['ccc', 'consent-layer']
  const missing = ours.flatMap(plainNames).filter((name) => !tooCommon.includes(name) && !namesConsentManager([name]))
  expect(missing).toEqual([])
})
