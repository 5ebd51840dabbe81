/** Words that ask for a crawl without saying which. */
const idle = new Set(
  `a about across again all also an and any are as at be begin below both but by can case could crawl crawled crawler crawling do does
  download each else every everything fetch find first focus follow folder folders for from gather get give go going grab here hi hello
  i if in including include includes index inside into is it items its itself just keep kind let like limit list look looking make map
  me my need next of on once one only option or our out over page pages part parts please pull read relevant restrict result results
  return save scan scrape scraping search section sections see set should site sites so some start starting stay subpages take
  than thank thanks that the their them then there these they thing things this those through to under up url urls use us using visit
  want we web webpage webpages website websites well what where which whole will with within would you your content contents document
  documents path paths link links domain collect extract extracting data info information area directory tree too matching matches
  located lies lie live being have has it's i'd i'm we'd at`.split(/\s+/),
)
const maxWords = 10
const maxLength = 40

/** The words of a prompt that no rule took and that are not mere courtesy. They are the caller's own, and few are told. */
export function leftoverOf(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’./-]*/gu) ?? []
  const said = words.map((word) => word.replace(/[.'’/-]+$/, '')).filter((word) => !idle.has(word.toLowerCase()))
  return [...new Set(said)].slice(0, maxWords).map((word) => word.slice(0, maxLength))
}
