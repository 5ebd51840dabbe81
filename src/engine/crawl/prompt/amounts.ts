import { firstMatch, type PromptOptions, type Rule } from './draft.ts'

const numbers: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  single: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
}
const scales: Readonly<Record<string, number>> = { half: 0.5, dozen: 12, hundred: 100, thousand: 1000, k: 1000 }

/** A number in figures or words, as the source of a regular expression without groups that count. */
const numeral = String.raw`(?:\d{1,3}(?:[,.]\d{3})+|\d{1,9}(?:\.\d{1,3})?|(?:${Object.keys(numbers).join('|')}|half)\b)(?:\s?k\b|\s(?:hundred|thousand|dozen)\b)?`

/** The value of what `numeral` found. */
function valueOf(text: string): number {
  const lower = text.toLowerCase().trim()
  const [, scale] = /(k|hundred|thousand|dozen)$/.exec(lower) ?? []
  const head = (scale ? lower.slice(0, -scale.length) : lower).trim()
  const plain = /^\d{1,3}(?:[,.]\d{3})+$/.test(head) ? head.replace(/[,.]/g, '') : head
  return (numbers[plain] ?? scales[plain] ?? Number(plain)) * (scale ? (scales[scale] ?? 1) : 1)
}

const units =
  'pages?|urls?|posts?|articles?|results?|documents?|docs|links?|items?|entries|files?|products?|recipes?|stories'
const most =
  "(?:do not|don'?t|never)(?: [a-z]+)? more than|at most|up to|no more than|not more than|max(?:imum)?(?:\\s+of)?|limit(?:ed)?(?:\\s+it)?(?:\\s+(?:to|of|at))?|cap(?:ped)?(?:\\s+it)?\\s+at|stop(?:ping)?\\s+(?:after|at)|fewer than|less than"
const some = 'the first|first|top|only|just|about|around|roughly|approximately|a sample of'
/** What a number says when it does not count pages. */
const otherUnit = String.raw`(?!\s*(?:levels?|clicks?|hops?|links? (?:deep|away)|deep|seconds?|secs?|s\b|ms\b|milli|minutes?|mins?|segments?|folders?))`
const secondsOf: Readonly<Record<string, number>> = { m: 0.001, s: 1, minute: 60 }
const time = String.raw`(milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?)\b`

const slow = String.raw`(?:(?:very )?(?:slowly|gently|politely|carefully)|(?:be |go )(?:slow|gentle|polite|nice|easy)(?: (?:on|to|with) (?:the |their )?(?:server|site|host))?|(?:do not|don'?t|without) (?:overload|hammer|stress|overwhelm)(?:ing)?(?: (?:the|their))?(?: (?:server|site|host))?)`

const amount = (
  source: string,
  read: (match: RegExpExecArray) => PromptOptions | undefined,
  keeps?: (match: RegExpExecArray) => string,
): Rule => firstMatch(new RegExp(source, 'i'), read, keeps)

/** How fast, how many and how far, read in this order: "10 pages a minute" is no limit. */
export const amountRules: readonly Rule[] = [
  amount(
    String.raw`\b(${numeral}) (?:pages?|requests?|urls?|fetch(?:es)?) (?:per|an?|each|every) (${numeral}\s)?${time}`,
    ([, count, span, unit]) => delayOf((valueOf(span ?? '1') * secondsIn(unit)) / valueOf(count ?? '1')),
  ),
  amount(
    String.raw`\b(?:wait|pause|sleep|delay|leave|with)(?:ing)?(?: (?:of|for|by|is|at least|about|a delay of|a pause of))*:? (${numeral})\s?(?:an? )?${time}(?: (?:of )?(?:delay|pause))?(?: (?:between|after|before)(?: (?:each|every|the|two|all))?(?: (?:pages?|requests?|visits?))?)?`,
    ([, count, unit]) => delayOf(valueOf(count ?? '') * secondsIn(unit)),
  ),
  amount(
    String.raw`\b(${numeral})[\s-]?(?:an? )?${time}(?: (?:of )?(?:delay|pause|wait|apart))?(?: (?:between|after|before)(?: (?:each|every|the|two|all))?(?: (?:pages?|requests?|visits?))?)?`,
    ([, count, unit]) => delayOf(valueOf(count ?? '') * secondsIn(unit)),
  ),
  amount(`\\b${slow}(?:[\\s,;.!]+(?:and |but )?${slow})*\\b`, () => ({ delay: 1 })),
  amount(
    String.raw`\b(?:only|just)(?: crawl| scrape| fetch| get)? (?:this|the start|the home|the front|the landing|a single|one)[\s-]?(?:one )?page\b(?! (?:under|in|from|of))`,
    () => ({ limit: 1, maxDiscoveryDepth: 0 }),
  ),
  amount(String.raw`\b(?:do not|don'?t|without|never) follow(?:ing)? (?:any |the )?links\b`, () => ({
    maxDiscoveryDepth: 0,
  })),
  amount(
    String.raw`\b(?:only|just) (?:the )?(?:direct links|directly linked pages|pages (?:directly )?linked (?:from|on) (?:the |this )?(?:start|home|front|landing)?\s?page)\b`,
    () => ({ maxDiscoveryDepth: 1 }),
  ),
  amount(
    String.raw`\b(?:${most}|only|just)?\s*(${numeral})[\s-](?:path )?(?:segments?|folders?|director(?:y|ies))(?: deep)?\b|\bpath depth(?: of| is|:)? (${numeral})`,
    ([, one, other]) => shallower(valueOf(one ?? other ?? '')),
  ),
  amount(
    String.raw`\b(?:(?:${most}|only|just)\s+)?(?:a )?(?:max(?:imum)? )?(?:crawl(?:ing)? |link |discovery )?depth(?: limit)?(?: of| is| to| at|:|=)?\s*(${numeral})`,
    ([, depth]) => depthOf(depth),
  ),
  amount(
    String.raw`\b(?:(?:${most}|only|just|go|no deeper than)\s+)?(${numeral})[\s-](?:levels?|clicks?|hops?|layers?|links? (?:deep|away))(?: (?:deep|down|away|from (?:the )?(?:start|home|root)(?:\s?page)?|of (?:links|depth)))*\b`,
    ([, depth]) => depthOf(depth),
  ),
  amount(String.raw`\bno deeper than (${numeral})`, ([, depth]) => depthOf(depth)),
  amount(String.raw`\b(?:${most}):?\s+(?:the first )?(${numeral})${otherUnit}`, ([, count]) => limitOf(count)),
  amount(
    String.raw`\b(?:(?:${some})\s+)?(${numeral})((?: [a-z]+){0,2} (?:${units}))\b`,
    ([, count]) => (/^an?$/i.test(count ?? '') ? undefined : limitOf(count)),
    ([, , kept]) => kept ?? '',
  ),
  amount(String.raw`\blimit\b\W{1,3}(${numeral})`, ([, count]) => limitOf(count)),
]

const secondsIn = (unit = 's'): number => secondsOf[/^min/i.test(unit) ? 'minute' : /^m/i.test(unit) ? 'm' : 's'] ?? 1

/** The crawl takes more than none and at most a minute. */
function delayOf(seconds: number): PromptOptions | undefined {
  return seconds > 0 ? { delay: Math.min(60, Math.round(seconds * 1000) / 1000) } : undefined
}

function limitOf(count = ''): PromptOptions | undefined {
  const limit = Math.floor(valueOf(count))
  return limit >= 1 ? { limit: Math.min(limit, 10_000_000) } : undefined
}

const depthOf = (depth = ''): PromptOptions => ({ maxDiscoveryDepth: Math.min(1000, Math.floor(valueOf(depth))) })

/** A crawl knows no depth of paths, and a pattern says the same. */
const shallower = (segments: number): PromptOptions => ({
  excludePaths: [`^(?:/[^/]+){${Math.min(999, Math.floor(segments)) + 1}}`],
})
