import type { PageResponse } from '../../../contracts/fetch.ts'

/** Type and vendor of a page that bot protection served instead of the requested one. */
export type BotChallenge = { by: string; kind: 'challenge' | 'block' }

type PageEvidence = { status: number; headers: Readonly<Record<string, string>>; html: string; title: string }

const challengeStatuses = new Set([401, 403, 405, 406, 429, 503])
const has =
  (name: string, pattern: RegExp) =>
  ({ headers }: PageEvidence) =>
    pattern.test(headers[name] ?? '')
const says =
  (pattern: RegExp) =>
  ({ html }: PageEvidence) =>
    pattern.test(html)
const titled =
  (pattern: RegExp) =>
  ({ title }: PageEvidence) =>
    pattern.test(title)
const any =
  (...tests: ((evidence: PageEvidence) => boolean)[]) =>
  (evidence: PageEvidence) =>
    tests.some((test) => test(evidence))
const all =
  (...tests: ((evidence: PageEvidence) => boolean)[]) =>
  (evidence: PageEvidence) =>
    tests.every((test) => test(evidence))

/** Signs that occur only on pages of bot protection; they count only with one of the statuses above. */
const markers: readonly (BotChallenge & { seen(evidence: PageEvidence): boolean })[] = [
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

/** Maximum text length of a challenge page. */
const maxChallengeText = 1500

/**
 * Detects a bot challenge: an error status with a sign of a protection service, or a page with a challenge title, a
 * challenge script and hardly any text. A CAPTCHA in a form of an ordinary page does not count.
 */
export function detectBotChallenge({
  status,
  headers,
  body,
}: Pick<PageResponse, 'status' | 'headers' | 'body'>): BotChallenge | undefined {
  const isHtml = /html|^$/i.test(headers['content-type'] ?? '')
  const html = isHtml
    ? Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 200_000)).toString('latin1')
    : ''
  const evidence = { status, headers, html, title: titleOf(html) }
  if (challengeStatuses.has(status) || (status === 202 && headers['x-amzn-waf-action'])) {
    const marker = markers.find(({ seen }) => seen(evidence))
    if (marker) return { by: marker.by, kind: marker.kind }
  }
  const isChallenge =
    challengeTitle.test(evidence.title) && challengeScript.test(html) && textLength(html) < maxChallengeText
  return isChallenge ? { by: 'a bot check', kind: 'challenge' } : undefined
}

const titleOf = (html: string) => (/<title[^>]*>([^<]{0,200})/i.exec(html)?.[1] ?? '').trim()

/** Returns the length of the text in HTML. Linear in the input, even with unclosed tags. */
export const textLength = (html: string) =>
  html
    .split(/<(?=\/?(?:script|style|noscript)\b)/i)
    .filter((part) => !/^(?:script|style|noscript)\b/i.test(part))
    .join('<')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ').length
