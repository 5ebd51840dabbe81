/**
 * Questions of new users in their own words, each with the pages that answer it, written before the ranking was looked at.
 * On the first try 11 of 20 were right and 12 among the first three; they were seen when that was mended, so that they are
 * no longer held out.
 */
export const heldOut: [question: string, ...pages: string[]][] = [
  ['Will it download the same article again if I ask for it an hour later?', 'rest.md', 'scrape.md'],
  ['My boss wants every page of our help centre as text on my drive', 'crawl-export.md'],
  ['Where do I put my OpenAI key?', 'models.md', 'settings.md'],
  ['A colleague has left, how do I make his key stop working?', 'command-line.md', 'reference/admin-key-revoke.md'],
  ['Can two departments have separate budgets?', 'rest.md', 'command-line.md', 'reference/admin-team-set.md'],
  ['I want an alert when a competitor changes a price', 'monitors.md'],
  ['Can I watch on my screen what the agent clicks?', 'sessions.md'],
  ['What does one picture of a page cost me?', 'reference/formats.md', 'rest.md'],
  ['Can it read letters that were scanned?', 'files.md'],
  ['My laptop went to sleep in the middle of a big site, is everything lost?', 'crawl.md'],
  ['How do I run this on a server so that my colleagues can use it?', 'rest.md', 'clients.md'],
  ['Which programs besides Claude can I plug this into?', 'clients.md', '../README.md', 'README.md'],
  ['It should only read addresses that have /news/ in them', 'crawl.md', 'reference/crawl.md'],
  ['Somebody has to type in the SMS code by hand, then the robot goes on', 'sessions.md', 'browser.md'],
  ['Can a web page trick my assistant into doing something bad?', 'security.md'],
  ['Only give me hits from the last week', 'search.md', 'reference/search.md'],
  ['I have 300 addresses in a text file and want all of them read', 'crawl.md', 'reference/batch-scrape.md'],
  ['How do I know that a message really came from the server and not from a hacker?', 'webhooks.md'],
  ['It is eating up my hard disk, how do I get rid of old stuff?', 'rest.md', 'search-index.md', 'settings.md'],
  ['Get name and price of every product of a shop into one table', 'extract.md'],
]
