import type { PageResponse } from '../../../contracts/fetch.ts'

/** Who stands between us and the page, and how. */
export type Wall = { by: string; kind: 'challenge' | 'block' }

type Facts = { status: number; headers: Readonly<Record<string, string>>; html: string; title: string }
type Marker = Wall & { seen(facts: Facts): boolean }

const refusing = new Set([401, 403, 405, 406, 429, 503])
const has =
  (name: string, pattern: RegExp) =>
  ({ headers }: Facts) =>
    pattern.test(headers[name] ?? '')
const says =
  (pattern: RegExp) =>
  ({ html }: Facts) =>
    pattern.test(html)
const titled =
  (pattern: RegExp) =>
  ({ title }: Facts) =>
    pattern.test(title)
const any =
  (...tests: ((facts: Facts) => boolean)[]) =>
  (facts: Facts) =>
    tests.some((test) => test(facts))
const all =
  (...tests: ((facts: Facts) => boolean)[]) =>
  (facts: Facts) =>
    tests.every((test) => test(facts))

/** Signs that stand only on pages of the guard itself, each with a status that refuses. */
const markers: readonly Marker[] = [
  {
    by: 'Cloudflare',
    kind: 'challenge',
    seen: any(
      has('cf-mitigated', /^challenge$/i),
      all(
        has('server', /cloudflare/i),
        titled(/^(?:just a moment|attention required|please wait|un momento|einen moment)/i),
      ),
      says(/\/cdn-cgi\/challenge-platform\/|window\._cf_chl_opt/),
    ),
  },
  { by: 'DataDome', kind: 'challenge', seen: any(has('x-datadome', /./), says(/captcha-delivery\.com/)) },
  { by: 'PerimeterX', kind: 'challenge', seen: says(/px-captcha|_pxAppId|captcha\.px-cdn\.net/) },
  {
    by: 'AWS WAF',
    kind: 'challenge',
    seen: any(has('x-amzn-waf-action', /challenge|captcha/i), says(/awswaf\.com\/[^"']*challenge/)),
  },
  { by: 'Akamai', kind: 'block', seen: all(titled(/^access denied/i), says(/Reference\s*(?:&#32;)?\s*#/i)) },
  { by: 'Imperva', kind: 'challenge', seen: says(/_Incapsula_Resource|incapsula incident id/i) },
  { by: 'Kasada', kind: 'challenge', seen: any(has('x-kpsdk-ct', /./), says(/\/ips\.js\?[^"']*KP_UIDz|kpsdk/i)) },
  { by: 'Sucuri', kind: 'block', seen: all(says(/sucuri/i), titled(/access denied|website firewall/i)) },
]

const challengeScript =
  /challenges\.cloudflare\.com|hcaptcha\.com\/1\/api|recaptcha\/(?:api|enterprise)\.js|captcha-delivery\.com|px-cdn\.net/
const challengeTitle =
  /^(?:just a moment|attention required|access denied|verify(?:ing)? you are (?:a )?human|are you (?:a )?(?:human|robot)|robot check|security (?:check|verification)|human verification|pardon our interruption|checking your browser|ddos-guard|one more step|captcha)/i

/** A page of a guard has next to no text of its own. */
const maxGuardText = 1500

/**
 * Tells the page of a bot wall from the page that was asked for, by the marks such pages bear: a status that refuses and
 * a mark of the guard, or a page with hardly any text, the title of a challenge and its script. A form with a captcha
 * on an ordinary page is none.
 */
export function wallOf({ status, headers, body }: Pick<PageResponse, 'status' | 'headers' | 'body'>): Wall | undefined {
  const isHtml = /html|^$/i.test(headers['content-type'] ?? '')
  const html = isHtml
    ? Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 200_000)).toString('latin1')
    : ''
  const facts = { status, headers, html, title: titleOf(html) }
  if (refusing.has(status) || (status === 202 && headers['x-amzn-waf-action'])) {
    const marker = markers.find(({ seen }) => seen(facts))
    if (marker) return { by: marker.by, kind: marker.kind }
  }
  const isChallenge = challengeTitle.test(facts.title) && challengeScript.test(html) && textLength(html) < maxGuardText
  return isChallenge ? { by: 'a bot check', kind: 'challenge' } : undefined
}

const titleOf = (html: string) => (/<title[^>]*>([^<]{0,200})/i.exec(html)?.[1] ?? '').trim()

/** Each step reads the text once, whatever tags are left open in it. */
const textLength = (html: string) =>
  html
    .split(/<(?=\/?(?:script|style|noscript)\b)/i)
    .filter((part) => !/^(?:script|style|noscript)\b/i.test(part))
    .join('<')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ').length
