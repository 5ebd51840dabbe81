/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/**
 * Runs in the page: what on it is meant for a person. `captcha` is a puzzle or a box to tick that is in view and not yet
 * solved; `login` is a field for the password of somebody who has one.
 */
export function personWanted(): 'captcha' | 'login' | null {
  const frames =
    'iframe[src*="recaptcha/api2"],iframe[src*="recaptcha/enterprise"],iframe[src*="hcaptcha.com"],' +
    'iframe[src*="challenges.cloudflare.com"],iframe[src*="arkoselabs.com"],iframe[src*="funcaptcha.com"],' +
    'iframe[src*="captcha-delivery.com"],iframe[src*="geetest.com"]'
  const pictures = 'img[src*="captcha" i],img[alt*="captcha" i],canvas[id*="captcha" i]'
  const answers = '[name="g-recaptcha-response"],[name="h-captcha-response"],[name="cf-turnstile-response"]'
  const leastWidth = 100
  const leastHeight = 30
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page is given the outer function alone
  const isShown = (element: Element) => {
    const { width, height } = element.getBoundingClientRect()
    const isVisible = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    return width >= leastWidth && height >= leastHeight && isVisible
  }
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- as above
  const isUsable = (field: Element) => field.getClientRects().length > 0 && !(field as HTMLInputElement).disabled
  const shown = (selector: string) => Array.from(document.querySelectorAll(selector)).some(isShown)
  const isSolved = Array.from(document.querySelectorAll<HTMLInputElement>(answers)).some(({ value }) => value !== '')
  // The badge of one that judges by itself asks nothing of anybody.
  const visible = frames.replaceAll('"]', '"]:not([src*="size=invisible"])')
  if (!isSolved && (shown(visible) || shown(pictures))) return 'captcha'
  const passwords = Array.from(document.querySelectorAll('input[type="password"]')).filter(isUsable)
  const [password] = passwords
  const isNew = password?.getAttribute('autocomplete') === 'new-password' || passwords.length > 1
  return password && !isNew ? 'login' : null
}
