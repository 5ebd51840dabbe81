import { html, type Routes } from './route.ts'

const story = '<h1>The story</h1><p>What the page is about, in a few words that a reader came for.</p>'.repeat(3)
const note = (choice: string) =>
  `document.title = '${choice}'; document.querySelector('#banner, #onetrust-consent-sdk, dialog').remove()`
const bar = 'position: fixed; inset: auto 0 0 0; height: 300px; background: #f00; z-index: 999'

/** Pages with a red consent banner over the lower part of the page. The title shows the choice. */
export const consentRoutes: Routes = {
  '/consent/platform': html(`<!doctype html><title>asked</title>${story}
    <div id="onetrust-consent-sdk"><div class="onetrust-pc-dark-filter"></div>
    <div id="onetrust-banner-sdk" role="region" aria-label="Cookie banner" style="${bar}">
      <div id="onetrust-policy-text">We use cookies and similar methods to recognise visitors.</div>
      <div id="onetrust-button-group"><button id="onetrust-pc-btn-handler">Settings</button>
      <button id="onetrust-reject-all-handler" onclick="${note('refused')}">Reject All</button>
      <button id="onetrust-accept-btn-handler" onclick="${note('accepted')}">Accept All Cookies</button></div></div></div>
    <script>window.OneTrust = {}; window.OnetrustActiveGroups = ''</script>`),
  '/consent/home-made': html(`<!doctype html><title>asked</title>${story}
    <div id="banner" class="cookie-banner" style="${bar}"><p>We use cookies to improve your experience.</p>
    <button onclick="${note('accepted')}">Accept all</button><button onclick="${note('refused')}">Reject all</button></div>`),
  '/consent/dialog': html(`<!doctype html><title>asked</title>${story}
    <dialog id="cookie-dialog" class="cookie-consent" style="background: #f00; width: 100%; height: 300px; max-width: none"><p>This website uses cookies. Do you accept cookies?</p>
    <button onclick="${note('accepted')}">Accept all cookies</button><button onclick="${note('refused')}">Reject all cookies</button></dialog>
    <script>setTimeout(() => document.querySelector('dialog').showModal(), 200)</script>`),
  '/consent/none': html(
    `<!doctype html><title>asked nothing</title>${story}<p>We sell cookies. Accept all of them, or reject some.</p>`,
  ),
}
