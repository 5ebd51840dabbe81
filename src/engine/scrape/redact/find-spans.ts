import { isIPv4, isIPv6 } from 'node:net'
import * as tfn from 'stdnum/lib/cjs/au/tfn.js'
import * as insz from 'stdnum/lib/cjs/be/insz.js'
import * as egn from 'stdnum/lib/cjs/bg/egn.js'
import * as cpf from 'stdnum/lib/cjs/br/cpf.js'
import * as sin from 'stdnum/lib/cjs/ca/sin.js'
import * as swissAhv from 'stdnum/lib/cjs/ch/ssn.js'
import * as run from 'stdnum/lib/cjs/cl/run.js'
import * as residentId from 'stdnum/lib/cjs/cn/ric.js'
import * as rodneCislo from 'stdnum/lib/cjs/cz/rc.js'
import * as idnr from 'stdnum/lib/cjs/de/idnr.js'
import * as cpr from 'stdnum/lib/cjs/dk/cpr.js'
import * as isikukood from 'stdnum/lib/cjs/ee/ik.js'
import * as dni from 'stdnum/lib/cjs/es/dni.js'
import * as nie from 'stdnum/lib/cjs/es/nie.js'
import * as hetu from 'stdnum/lib/cjs/fi/hetu.js'
import * as nir from 'stdnum/lib/cjs/fr/nir.js'
import * as nino from 'stdnum/lib/cjs/gb/nino.js'
import * as amka from 'stdnum/lib/cjs/gr/amka.js'
import * as hkid from 'stdnum/lib/cjs/hk/hkid.js'
import * as oib from 'stdnum/lib/cjs/hr/oib.js'
import * as pps from 'stdnum/lib/cjs/ie/pps.js'
import * as israeliId from 'stdnum/lib/cjs/il/idnr.js'
import * as aadhaar from 'stdnum/lib/cjs/in/aadhaar.js'
import * as kennitala from 'stdnum/lib/cjs/is/kennitala.js'
import * as codiceFiscale from 'stdnum/lib/cjs/it/codicefiscale.js'
import * as rrn from 'stdnum/lib/cjs/kr/rrn.js'
import * as curp from 'stdnum/lib/cjs/mx/curp.js'
import * as bsn from 'stdnum/lib/cjs/nl/bsn.js'
import * as fodselsnummer from 'stdnum/lib/cjs/no/fodselsnummer.js'
import * as pesel from 'stdnum/lib/cjs/pl/pesel.js'
import * as cnp from 'stdnum/lib/cjs/ro/cnp.js'
import * as personnummer from 'stdnum/lib/cjs/se/personnummer.js'
import * as emso from 'stdnum/lib/cjs/si/emso.js'
import * as thaiId from 'stdnum/lib/cjs/th/idnr.js'
import * as tckimlik from 'stdnum/lib/cjs/tr/tckimlik.js'
import * as taiwaneseId from 'stdnum/lib/cjs/tw/natid.js'
import * as ssn from 'stdnum/lib/cjs/us/ssn.js'
import * as southAfricanId from 'stdnum/lib/cjs/za/idnr.js'
import { parse } from 'tldts'
import type { PiiEntity } from '../../../schema/scrape/scrape-options.ts'
import type { FindSpans, Span } from './placeholder.ts'

/** Local part of an email address, without `/`, `=`, `?`, `&`: these separate fields of URLs. */
const local = "[\\p{L}\\p{N}.!#$%'*+^_`{|}~-]{1,64}"
const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?'
const email = new RegExp(`(?<=${local})[@＠](${label}(?:\\.${label})+)`, 'gu')
const localPart = new RegExp(`${local}$`, 'u')
/** Names that only private networks and examples use (RFC 2606, RFC 6762). */
const reserved = /\.(?:test|example|invalid|local|internal|lan|localhost)$/i

/** True for a public or reserved host name, unlike `logo@2x.png` and `name@1.2.3.tgz`. */
const isHost = (host: string): boolean =>
  reserved.test(host) || (parse(host).isIcann === true && !/^\d+(?:\.\d+)?x\./.test(host))

/** Returns the longest start of a text that is a host: the next sentence may follow without a space. */
function hostIn(text: string): string | undefined {
  if (!text.includes('.')) return undefined
  return isHost(text) ? text : hostIn(text.slice(0, text.lastIndexOf('.')))
}

function emailsIn(text: string): Span[] {
  if (!/[@＠]/.test(text)) return []
  return [...text.matchAll(email)].flatMap(({ 1: following = '', index }): Span[] => {
    const before = localPart.exec(text.slice(Math.max(0, index - 64), index))?.[0] ?? ''
    const [name, host] = [before.replace(/^[.'`]+/, ''), hostIn(following)]
    return name === '' || host === undefined
      ? []
      : [{ start: index - name.length, end: index + 1 + host.length, kind: 'EMAIL' }]
  })
}

export type Finders = {
  entities: ReadonlySet<PiiEntity>
  /** True to replace text even if it only may identify a person. */
  isEager: boolean
  phones: FindSpans
  /** Names and addresses that a model found, verbatim. */
  named: readonly { text: string; kind: PiiEntity }[]
}

/** Finds names verbatim, with any white space between their words. */
function namedIn(text: string, named: Finders['named']): Span[] {
  return named.flatMap(({ text: wanted, kind }) => {
    const words = wanted.split(/\s+/).map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${words.join('\\s+')}(?![\\p{L}\\p{N}])`, 'giu')
    return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ start: index, end: index + found.length, kind }))
  })
}

const digitsOf = (text: string) => text.replaceAll(/[^\dA-Za-z]/g, '')

/** True if the check digit of a payment card is right (ISO/IEC 7812). */
function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at])
    sum += at % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)
  }
  return sum % 10 === 0
}

/**
 * First digits and lengths that card networks have issued; other numbers are not cards, even with a valid check digit.
 */
const issued =
  /^(?:4\d{15}(?:\d{3})?|(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d*(?<=^\d{16})|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:6011|64[4-9]\d|65\d\d|62\d\d|81\d\d|35(?:2[89]|[3-8]\d)|220[0-4])\d{12,15}|(?:50[0-9]{2}|5[6-8]\d\d|6304|67\d\d)\d{8,15})$/

/** Digits with single spaces or hyphens anywhere, or the groups printed on cards with other separators. */
const card = /(?<![\d.,])(?:\d(?:[ -]?\d){11,18}|\d{4}([ ./-]{1,3})(?:\d{4}\1\d{4}\1\d{4}|\d{6}\1\d{4,5}))(?![.,]?\d)/g

function cardsIn(text: string): Span[] {
  return [...text.matchAll(card)].flatMap(({ 0: found, index }) => {
    const digits = digitsOf(found)
    return issued.test(digits) && passesLuhn(digits)
      ? { start: index, end: index + found.length, kind: 'FINANCIAL' }
      : []
  })
}

/** Length of an IBAN by country (ISO 13616 registry). */
const ibanLengths = new Map(
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

function isIban(compact: string): boolean {
  const turned = compact.slice(4) + compact.slice(0, 4)
  let rest = 0
  for (const sign of turned)
    for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

const ibanStart = /(?<![A-Z0-9])[A-Z]{2}[ .-]?\d{2}(?=[ .-]?[A-Z0-9])/gi

function ibansIn(text: string): Span[] {
  return [...text.matchAll(ibanStart)].flatMap(({ 0: found, index }) => {
    const length = ibanLengths.get(found.slice(0, 2).toUpperCase())
    if (length === undefined) return []
    const rest = new RegExp(`^(?:[ .-]{0,2}[A-Z0-9]){${length}}(?![A-Z0-9])`, 'i').exec(
      text.slice(index, index + length * 3),
    )
    return rest && isIban(digitsOf(rest[0]).toUpperCase())
      ? { start: index, end: index + rest[0].length, kind: 'FINANCIAL' }
      : []
  })
}

type NumberShape = {
  shape: RegExp
  check: { validate(value: string): { isValid: boolean } }
  /** Name that must precede the number, because many other numbers pass its check. */
  name?: RegExp
  /** Form in which the number counts even without its name. */
  loose?: RegExp
}

/** Identity numbers of persons outside Europe, and of Iceland. */
const idsElsewhere: readonly NumberShape[] = [
  { shape: /\d{3} ?\d{3} ?\d{3}/, check: tfn, name: /TFN|tax file/i },
  { shape: /\d{3}\.?\d{3}\.?\d{3}-?\d{2}/, check: cpf, name: /CPF/i, loose: /\d{3}\.\d{3}\.\d{3}-\d{2}/ },
  { shape: /\d{3}[- ]?\d{3}[- ]?\d{3}/, check: sin, name: /\bSIN\b|\bNAS\b|social insurance/i },
  { shape: /\d{1,2}\.?\d{3}\.?\d{3}-[0-9K]/i, check: run },
  { shape: /\d{17}[0-9X]/i, check: residentId },
  { shape: /[A-Z]{1,2}\d{6}\([0-9A]\)/i, check: hkid },
  { shape: /\d{9}/, check: israeliId, name: /ת["״.]?ז|תעודת|Teudat|Israeli ID/i },
  { shape: /\d{4}[ -]?\d{4}[ -]?\d{4}/, check: aadhaar, name: /aadhaar|आधार/i, loose: /\d{4}[ -]\d{4}[ -]\d{4}/ },
  { shape: /\d{6}-\d{4}/, check: kennitala },
  { shape: /\d{6}-[0-9]\d{6}/, check: rrn },
  { shape: /[A-Z]{4}\d{6}[HM][A-Z]{5}[0-9A-Z]\d/i, check: curp },
  { shape: /\d-\d{4}-\d{5}-\d{2}-\d|\d{13}/, check: thaiId, name: /บัตร|Thai/i, loose: /\d-\d{4}-\d{5}-\d{2}-\d/ },
  { shape: /[A-Z][12]\d{8}/i, check: taiwaneseId },
  { shape: /\d{3}-\d{2}-\d{4}/, check: ssn },
  { shape: /\d{13}/, check: southAfricanId },
]

/**
 * Identity numbers of persons in Europe, as people write them. If the check of a number accepts many other numbers, the
 * number counts only after its name, or in a form that is rare for other numbers.
 */
const europeanIds: readonly NumberShape[] = [
  { shape: /\d{2}[. ]?\d{2}[. ]?\d{2}[- ]?\d{3}[. ]?\d{2}/, check: insz },
  { shape: /\d{10}/, check: egn, name: /ЕГН|EGN/i },
  { shape: /756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}/, check: swissAhv },
  { shape: /\d{6}\/?\d{4}/, check: rodneCislo, name: /\bRČ|rodné|R\.\s?č/i, loose: /\d{6}\/\d{4}/ },
  {
    shape: /\d{2} ?\d{3} ?\d{3} ?\d{3}/,
    check: idnr,
    name: /\bId-?Nr|Steuer|TIN\b/i,
    loose: /\d{2} \d{3} \d{3} \d{3}/,
  },
  { shape: /\d{6}-\d{4}/, check: cpr },
  { shape: /[1-8]\d{10}/, check: isikukood },
  { shape: /\d{8}[- ]?[A-Z]/i, check: dni },
  { shape: /[XYZ][- ]?\d{7}[- ]?[A-Z]/i, check: nie },
  { shape: /\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]/i, check: hetu },
  { shape: /[1278] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}/i, check: nir },
  { shape: /[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]/i, check: nino },
  { shape: /\d{11}/, check: amka },
  { shape: /\d{11}/, check: oib, name: /OIB/i },
  { shape: /\d{7}[A-W][ABHW]?/i, check: pps },
  {
    shape: /[A-Z]{6}[0-9LMNPQRSTUV]{2}[A-EHLMPRST][0-9LMNPQRSTUV]{2}[A-Z][0-9LMNPQRSTUV]{3}[A-Z]/i,
    check: codiceFiscale,
  },
  { shape: /\d{9}|\d{4}[. ]\d{2}[. ]\d{3}/, check: bsn, name: /BSN|burgerservice/i },
  { shape: /\d{6} ?\d{5}/, check: fodselsnummer },
  { shape: /\d{11}/, check: pesel },
  { shape: /\d{13}/, check: cnp },
  { shape: /(?:\d{2})?\d{6}[-+]\d{4}/, check: personnummer },
  { shape: /\d{13}/, check: emso },
  { shape: /[1-9]\d{10}/, check: tckimlik },
]

const ids = [...europeanIds, ...idsElsewhere].map(({ shape, loose, ...id }) => ({
  ...id,
  pattern: new RegExp(`(?<![\\w.,+-])(?:${shape.source})(?![\\w]|[.,-]\\d)`, shape.flags.includes('i') ? 'gi' : 'g'),
  loose: loose && new RegExp(`^(?:${loose.source})$`),
}))
/** Number of characters before a number that are searched for its name. */
const nameWithin = 40

function idsIn(text: string, isEager: boolean): Span[] {
  return ids.flatMap(({ pattern, check, name, loose }) =>
    [...text.matchAll(pattern)].flatMap(({ 0: found, index }): Span[] => {
      const isValid = [found, found.replaceAll('.', '')].some((form) => check.validate(form).isValid)
      if (!/\d/.test(found) || !isValid) return []
      const isNamed =
        isEager || !name || loose?.test(found) || name.test(text.slice(Math.max(0, index - nameWithin), index))
      return isNamed ? [{ start: index, end: index + found.length, kind: 'SECRET' }] : []
    }),
  )
}

const ipv4 = /(?<![\w.%/-]|\d[ ,])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)/g
const addressInUrl = /(?<=\/\/(?:[^\s/@]*@)?)(?:\d{1,3}\.){3}\d{1,3}(?![\w.-])/g
/** Matches IPv6 addresses. A colon before an address may belong to a word, such as `Host:`. */
const ipv6 = /(?<![\w.]|(?<!\w)[\da-f]{0,4}:)(?:[\da-f]{0,4}:){2,7}(?:[\da-f]{1,4}|(?:\d{1,3}\.){3}\d{1,3})?(?![\w:])/gi

/** Finds IP addresses, but not versions (`v1.2.3.4`), and not `::`, which program code uses for other purposes. */
function addressesIn(text: string): Span[] {
  const v4 = [...text.matchAll(ipv4), ...text.matchAll(addressInUrl)].filter(
    ({ 0: found, index }) =>
      isIPv4(found) && !/\b(?:v|vers\w*)\.?:? ?$/i.test(text.slice(Math.max(0, index - 12), index)),
  )
  const v6 = [...text.matchAll(ipv6)].filter(
    ({ 0: found }) => isIPv6(found) && /\d/.test(found) && found.split(':').filter(Boolean).length > 1,
  )
  return [...v4, ...v6].map(({ 0: found, index }) => ({ start: index, end: index + found.length, kind: 'SECRET' }))
}

/** Keys in the forms that their issuers document. */
const keys =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|sk_live_|rk_live_|AIza|npm_)[\w-]{20,}/g

const keysIn = (text: string): Span[] =>
  [...text.matchAll(keys)].map(({ 0: found, index }) => ({ start: index, end: index + found.length, kind: 'SECRET' }))

const financialIn = (text: string): Span[] => [...cardsIn(text), ...ibansIn(text)]
const secretsIn = (text: string, isEager: boolean): Span[] => [
  ...idsIn(text, isEager),
  ...addressesIn(text),
  ...keysIn(text),
]

/** Creates a finder of all spans, in order. Overlapping spans are merged. */
export function createSpanFinder({ entities, isEager, phones, named }: Finders): FindSpans {
  const wants = (kind: PiiEntity) => entities.has(kind)
  return (original) => {
    const text = asciiDigits(original)
    const hasDigits = /\d/.test(text)
    const found = [
      ...(wants('EMAIL') ? emailsIn(text) : []),
      ...(wants('FINANCIAL') && hasDigits ? financialIn(text) : []),
      ...(wants('SECRET') ? secretsIn(text, isEager) : []),
      ...(wants('PHONE') && hasDigits ? phones(text) : []),
      ...namedIn(text, named),
    ]
    return withoutOverlaps(found)
  }
}

function withoutOverlaps(spans: Span[]): Span[] {
  const merged: Span[] = []
  for (const span of spans.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = merged.at(-1)
    if (!last || span.start >= last.end) merged.push(span)
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end }
  }
  return merged
}

/** Returns a text of the same length with digits, spaces and dashes of other scripts as ASCII. */
function asciiDigits(text: string): string {
  if (!/\P{ASCII}/u.test(text)) return text
  return text
    .replaceAll(/[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\uFF10-\uFF19]/g, (digit) => String(digitOf(digit)))
    .replaceAll(/[\u00A0\u2000-\u200A\u202F\u3000]/g, ' ')
    .replaceAll(/[\u2010-\u2015\u2212\uFF0D\u30FC]/g, '-')
    .replaceAll('＋', '+')
    .replaceAll('（', '(')
    .replaceAll('）', ')')
}

/** First digits of the scripts above. */
const zeros = [0x0660, 0x06f0, 0x0966, 0xff10]
const digitOf = (digit: string) => {
  const code = digit.charCodeAt(0)
  return code - zeros.findLast((zero) => zero <= code)!
}
