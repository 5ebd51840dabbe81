import { focusedIn } from '../dom/tree.ts'
import { clean } from '../dom/element-text.ts'

export type HumanTask = 'captcha' | 'login'

const captchaFrames = [
  'recaptcha/api2',
  'recaptcha/enterprise',
  'hcaptcha.com',
  'challenges.cloudflare.com',
  'arkoselabs.com',
  'funcaptcha.com',
  'captcha-delivery.com',
  'geetest.com',
]
  // The badge of an invisible captcha requires no action.
  .map((address) => `iframe[src*="${address}"]:not([src*="size=invisible"])`)
  .join()
const captchaImages = 'img[src*="captcha" i],img[alt*="captcha" i],canvas[id*="captcha" i]'
const captchaAnswers = '[name="g-recaptcha-response"],[name="h-captcha-response"],[name="cf-turnstile-response"]'
const minWidth = 100
const minHeight = 30

/** Detects a task for a person: an unsolved captcha in view, or a field for an existing password. */
export function findHumanTask(): HumanTask | null {
  const answers = Array.from(document.querySelectorAll<HTMLInputElement>(captchaAnswers))
  const isSolved = answers.some(({ value }) => value !== '')
  const captchas = isSolved ? [] : Array.from(document.querySelectorAll(`${captchaFrames},${captchaImages}`))
  if (captchas.some((element) => isLargeEnough(element))) return 'captcha'
  const passwords = Array.from(document.querySelectorAll<HTMLInputElement>('input[type="password"]')).filter(
    (field) => field.getClientRects().length > 0 && !field.disabled,
  )
  const [password] = passwords
  const isNew = password?.getAttribute('autocomplete') === 'new-password' || passwords.length > 1
  return password && !isNew ? 'login' : null
}

function isLargeEnough(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  const isVisible = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  return width >= minWidth && height >= minHeight && isVisible
}

export async function loadLazy(maxHeight: number, maxMs: number): Promise<void> {
  const until = performance.now() + maxMs
  for (const image of document.images) image.loading = 'eager'
  const { scrollX, scrollY } = window
  const height = Math.min(document.documentElement.scrollHeight, maxHeight)
  for (let top = 0; top < height && performance.now() < until; top += window.innerHeight) {
    window.scrollTo({ top, behavior: 'instant' })
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  window.scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' })
  const late = new Promise((resolve) => setTimeout(resolve, Math.max(0, until - performance.now())))
  const loaded = Array.from(document.images, (image) =>
    image.complete ? undefined : image.decode().catch(() => undefined),
  )
  await Promise.race([Promise.all(loaded), late])
}

export type PageProgress = {
  text: number
  isLoading: boolean
  /** True if something in view indicates that more content is loading. */
  isBusy: boolean
  hasScripts: boolean
  /** True if nothing in the page can change its text or navigate without user input. */
  isInert: boolean
}

const busySelector =
  '[aria-busy=true],[role=progressbar],.skeleton,[class*=skeleton i],[class*=spinner i],[class*=shimmer i],.loading,.loader'

const activeSelector = 'script,iframe,frame,object,embed,meta[http-equiv=refresh i]'

/** Event handlers in attributes are scripts too, such as `onload` and `onerror`. */
const hasHandlers = () =>
  Array.from(document.getElementsByTagName('*')).some((element) =>
    element.getAttributeNames().some((name) => name.startsWith('on')),
  )

export function readProgress(): PageProgress {
  // Finding visible text requires a layout, which is too slow for a page of a million elements.
  const isLarge = document.getElementsByTagName('*').length > 20_000
  const text = (isLarge ? document.body?.textContent : document.body?.innerText) ?? ''
  const hasBusyText = !isLarge && /^\s*(?:loading|please wait)[^\p{L}\n]*$/imu.test(text)
  return {
    text: text.replace(/\d+/g, '').length,
    isLoading: document.readyState === 'loading',
    isBusy: hasBusyText || (!isLarge && hasBusyElement()),
    hasScripts: document.scripts.length > 0,
    isInert: !isLarge && document.querySelector(activeSelector) === null && !hasHandlers(),
  }
}

function hasBusyElement(): boolean {
  return Array.from(document.querySelectorAll(busySelector)).some((element) => element.getClientRects().length > 0)
}

export function readLocation(): { url: string; title: string } {
  return { url: location.href, title: clean(document.title).slice(0, 120) }
}

/** Resolves when the document and its resources have loaded, or after this many ms. */
export function waitForLoad(ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState === 'complete') return resolve()
    addEventListener('load', () => resolve(), { once: true })
    setTimeout(resolve, ms)
  })
}

/** True if a frame has readable content; a video player and the browser's own pages have none. */
export function isReadableFrame(): boolean {
  const isOfBrowser = !/^(?:https?|about|data|blob):/.test(location.protocol)
  const area = innerWidth * innerHeight
  const isPlayer = (video: Element) => video.clientWidth * video.clientHeight > area / 2
  return !isOfBrowser && !Array.from(document.querySelectorAll('video')).some((video) => isPlayer(video))
}

/** True if something takes typed text: an element has the focus, or the document itself is editable. */
export function hasFocus(): boolean {
  const focused = focusedIn(document)
  const { body, documentElement, designMode } = focused?.ownerDocument ?? document
  const isPage = focused === null || focused === body || focused === documentElement
  return !isPage || designMode === 'on' || body.isContentEditable
}
