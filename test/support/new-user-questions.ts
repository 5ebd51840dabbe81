type Question = { question: string; pages: readonly string[] }

/**
 * A further set of what new users ask, over all that the program does: written, with the pages that answer each, before the
 * ranking or the phrases in the pages were looked at. On the first try
 * the first page was right for 22 of 30, one of the first three for 29.
 */
export const newUserQuestions: readonly Question[] = [
  { question: 'put it into VS Code', pages: ['README.md', 'clients.md'] },
  { question: 'which node version do I need', pages: ['clients.md', 'troubleshooting.md'] },
  { question: 'the text has all the menus and the footer in it', pages: ['scrape.md', 'reference/scrape.md'] },
  { question: 'send a cookie along with the request', pages: ['scrape.md', 'browser.md', 'reference/scrape.md'] },
  {
    question: 'how long does it wait for a slow page before it gives up',
    pages: ['scrape.md', 'browser.md', 'reference/scrape.md', 'troubleshooting.md'],
  },
  { question: 'pretend to be an iPhone', pages: ['scrape.md', 'browser.md', 'reference/scrape.md'] },
  { question: 'fill in a form and submit it', pages: ['sessions.md', 'browser.md', 'reference/browser-act.md'] },
  { question: 'download the mp3 of a podcast', pages: ['files.md', 'reference/formats.md'] },
  {
    question: 'leave out the archive section when it walks through the site',
    pages: ['crawl.md', 'reference/crawl.md'],
  },
  {
    question: 'see the first pages while the crawl is still going on',
    pages: ['crawl.md', 'rest.md', 'webhooks.md', 'reference/crawl-status.md'],
  },
  {
    question: 'check a page every morning at eight',
    pages: ['monitors.md', 'reference/monitor.md', 'reference/monitor-create.md'],
  },
  {
    question: 'which fonts and colours does a brand use',
    pages: ['browser.md', 'reference/formats.md', 'reference/scrape.md'],
  },
  { question: 'research a topic for me and name its sources', pages: ['agent.md', 'reference/agent.md'] },
  { question: 'make an llms.txt for our website', pages: ['extract.md', 'command-line.md', 'reference/llmstxt.md'] },
  { question: 'our data protection officer asks whether it keeps what I read', pages: ['rest.md', 'security.md'] },
  { question: 'is there a web page where I see all running jobs', pages: ['dashboard.md'] },
  { question: 'how much of my budget is left', pages: ['rest.md', 'reference/credit-usage.md'] },
  { question: 'the answer is too long for the context of my model', pages: ['clients.md'] },
  { question: 'put it behind nginx with https', pages: ['rest.md', 'settings.md'] },
  { question: 'share one database between two servers', pages: ['rest.md', 'crawl.md'] },
  { question: 'call it with curl', pages: ['rest.md', 'README.md'] },
  {
    question: 'it does not find the Chrome that I have installed',
    pages: ['browser.md', 'settings.md', 'troubleshooting.md'],
  },
  { question: 'I get 401 all the time', pages: ['troubleshooting.md', 'rest.md', 'reference/errors.md'] },
  {
    question: 'certificate error on an internal site',
    pages: ['troubleshooting.md', 'reference/scrape.md', 'reference/errors.md'],
  },
  { question: "sign in through our company's single sign-on", pages: ['clients.md'] },
  { question: 'how many requests a minute are allowed', pages: ['rest.md', 'settings.md'] },
  { question: 'find pictures of lighthouses', pages: ['search.md', 'reference/search.md'] },
  { question: 'results in French please', pages: ['search.md', 'reference/search.md'] },
  { question: 'skip the pages behind a login', pages: ['crawl.md', 'reference/crawl.md'] },
  { question: 'give the agent fewer tools', pages: ['clients.md', 'settings.md'] },
]

/**
 * Written when all of the above had been seen and mended. On the first try 23 of 30 were right, 29 among the first three, where
 * the ranking and the pages before had 22 and 28. Phrases and the ranking have been mended by them since.
 */
export const blindQuestions: readonly Question[] = [
  { question: 'how do I uninstall it', pages: ['rest.md'] },
  { question: 'I only want the headlines of a news site', pages: ['scrape.md', 'models.md'] },
  {
    question: 'is my password shown to the model when it logs in',
    pages: ['sessions.md', 'security.md', 'browser.md'],
  },
  {
    question: 'does it work offline',
    pages: ['rest.md', 'scrape.md', 'search-index.md', 'README.md', 'command-line.md'],
  },
  { question: 'tell me every Monday which pages of our site are new', pages: ['monitors.md', 'change-tracking.md'] },
  { question: 'collect phone numbers from contact pages', pages: ['extract.md', 'models.md', 'scrape.md'] },
  { question: 'why is the second call so much faster', pages: ['rest.md', 'scrape.md'] },
  { question: 'the site loads more when you scroll down', pages: ['browser.md'] },
  { question: 'save a web page as pdf', pages: ['browser.md'] },
  { question: 'the login has two steps with a code from an app', pages: ['browser.md', 'sessions.md'] },
  {
    question: 'where can I see what went wrong in the last crawl',
    pages: ['crawl.md', 'reference/crawl-errors.md', 'dashboard.md', 'troubleshooting.md'],
  },
  { question: 'does it support socks proxies', pages: ['browser.md', 'settings.md'] },
  { question: 'highest number of pages of a crawl', pages: ['crawl.md', 'reference/crawl.md'] },
  {
    question: 'give one customer more capacity than another',
    pages: ['rest.md', 'command-line.md', 'reference/admin-team-set.md'],
  },
  { question: 'turn on debug output', pages: ['troubleshooting.md', 'settings.md'] },
  { question: 'transcript of a youtube video', pages: ['files.md'] },
  { question: 'compare the text of today with the one of last month', pages: ['change-tracking.md'] },
  { question: 'my receiver got the same message twice', pages: ['webhooks.md'] },
  { question: 'is there a java client', pages: ['rest.md', 'clients.md'] },
  { question: 'difference between map and crawl', pages: ['clients.md', 'crawl.md'] },
  { question: 'which model is cheap and good enough', pages: ['models.md'] },
  { question: 'our firewall blocks everything, what must be open', pages: ['rest.md'] },
  { question: 'robots.txt stops me from reading my own site', pages: ['crawl.md', 'troubleshooting.md'] },
  { question: 'the price appears only after I choose a size', pages: ['browser.md', 'sessions.md'] },
  { question: 'open a zip file with documents in it', pages: ['files.md'] },
  { question: 'my results are gone the next day', pages: ['crawl.md', 'rest.md', 'settings.md'] },
  { question: 'can two agents use the same login at once', pages: ['browser.md', 'sessions.md'] },
  {
    question: 'send me a link to the screenshot instead of the bytes',
    pages: ['rest.md', 'browser.md', 'settings.md'],
  },
  { question: 'the server needs more and more memory', pages: ['crawl.md', 'troubleshooting.md'] },
  { question: 'find government PDFs about housing', pages: ['search.md', 'reference/search.md'] },
]
