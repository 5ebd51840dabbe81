/** Words for parts of a site, and how their folders are called. The first word of a row that fits counts. */
const rows: readonly (readonly [words: string, folders: string])[] = [
  ['api (?:reference|docs?|documentation)', 'api(?:-docs|-reference)?|reference'],
  ['developer (?:reference|docs?|documentation|portal)', 'docs?|documentation|developers?|api'],
  ['release notes?|releases', 'release-?notes?|releases?|change-?logs?'],
  ['case stud(?:y|ies)', 'case-stud(?:y|ies)|customers?|stories'],
  ['privacy(?: polic(?:y|ies))?', 'privacy(?:-policy)?|legal'],
  ['terms(?: (?:of|and) (?:service|use|conditions))?', 'terms(?:-[a-z-]+)?|tos|legal'],
  ['knowledge[- ]?base', 'kb|knowledge-?base|help'],
  ['white ?papers?', 'white-?papers?'],
  ['how[- ]?tos?', 'how-?tos?'],
  ['(?:log|sign)[- ]?ins?(?= pages?| forms?|$|[,.;¦])', 'log-?in|sign-?in'],
  ['(?:sign[- ]?ups?|registration)(?= pages?| forms?|$|[,.;¦])', 'sign-?up|register|registration'],
  [
    'about(?: us| the company)(?= pages?| sections?|$|[,.;¦]| and| or)|about(?= pages?| sections?| and [a-z]+ pages?|\\s*$|\\s*[,.;¦])',
    'about(?:-us)?|company',
  ],
  ['contact(?: us)?(?= pages?| sections?| details|\\s*$|\\s*[,.;¦]| and| or)', 'contact(?:-us)?'],
  ['(?:blog|weblog)s?(?: (?:posts?|articles?|entries))?', 'blogs?|posts?'],
  ['posts?', 'posts?|blogs?'],
  ['(?:docs?|documentation|manuals?)', 'docs?|documentation|manuals?'],
  [
    '(?:job|career|vacanc|opening|position)(?:y|s|ies)?(?: (?:postings?|openings?|listings?|offers?|pages?))?',
    'jobs?|careers?|vacanc(?:y|ies)|openings?|positions?',
  ],
  ['pric(?:e|es|ing)(?: (?:plans?|lists?))?', 'pric(?:e|es|ing)|plans?'],
  ['(?:shop|store)s?', 'shop|store'],
  ['(?:customer )?support', 'support|help'],
  ['change-?\\s?logs?', 'change-?logs?'],
  ['f\\.?a\\.?q\\.?s?', 'faqs?'],
  ['news(?: (?:articles?|stories|posts?))?', 'news'],
  ['press(?: releases?)?', 'press(?:-releases?|-room)?|news-?room'],
  ['stories', 'stor(?:y|ies)|news|blog'],
  ['articles?', 'articles?|blog|news'],
  ['(?:shopping )?carts?', 'cart|basket'],
]
const plain =
  'api reference guide tutorial example help product collection categories team legal event webinar podcast video customer integration feature solution service partner community forum recipe course lesson research paper publication report resource download account profile checkout tag author archive admin investor location portfolio project review security status wiki glossary template marketplace academy newsletter quickstart sport image gallery thread user comment listing dashboard essay issue plugin theme package library component'.split(
    ' ',
  )

const plural = (word: string) =>
  word === 'categories' ? 'categor(?:y|ies)' : word.endsWith('y') ? `${word.slice(0, -1)}(?:y|ies)` : `${word}s?`
const sections = [...rows, ...plain.map((word) => [plural(word), plural(word)] as const)]

const languages: Readonly<Record<string, string>> = {
  english: 'en',
  german: 'de',
  french: 'fr',
  spanish: 'es',
  italian: 'it',
  portuguese: 'pt',
  dutch: 'nl',
  polish: 'pl',
  russian: 'ru',
  japanese: 'ja',
  korean: 'ko',
  chinese: 'zh',
  turkish: 'tr',
  arabic: 'ar',
  swedish: 'sv',
  danish: 'da',
}

const file = 'pdf|docx|xlsx|pptx|csv'
const isFile = new RegExp(`^(${file})(?:s?|s? files?)$`, 'i')

/** A part of a site, as the source of a regular expression. */
export const sectionWord = `(?:${sections.map(([words]) => words).join('|')}|${Object.keys(languages).join('|')}|(?:${file})s?)`

/** The pattern of the folders that a word stands for; undefined where it is no word for a part of a site. */
export function folderPattern(word: string): string | undefined {
  const language = languages[word.toLowerCase()]
  if (language) return `/${language}(?:[-_][A-Za-z]{2,4})?(?:/|$)`
  const [, ending] = isFile.exec(word) ?? []
  if (ending) return `\\.(?:${ending.toLowerCase()}|${ending.toUpperCase()})$`
  const row = tests.find(([test]) => test.test(word))
  return row && `/(?:${row[1]})(?:[/.]|$)`
}

/** Their look-ahead is for the sentence around a word, and holds at the end of the word alone as well. */
const tests = sections.map(([words, folders]) => [new RegExp(`^(?:${words})$`, 'i'), folders] as const)
