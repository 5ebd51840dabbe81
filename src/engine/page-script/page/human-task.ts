/** What only a person can do. */
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
  // The badge of one that judges by itself asks nothing of anybody.
  .map((address) => `iframe[src*="${address}"]:not([src*="size=invisible"])`)
  .join()
const captchaImages = 'img[src*="captcha" i],img[alt*="captcha" i],canvas[id*="captcha" i]'
const captchaAnswers = '[name="g-recaptcha-response"],[name="h-captcha-response"],[name="cf-turnstile-response"]'
const minWidth = 100
const minHeight = 30

/**
 * What on the page is meant for a person: `captcha` is a puzzle or a box to tick that is in view and not yet solved,
 * `login` a field for the password of somebody who has one.
 */
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
