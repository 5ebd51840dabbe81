type Question = { question: string; pages: readonly string[] }

/**
 * Written, with the pages where the answer stands, before the ranking, the vocabulary or what failed of the other sets was looked at;
 * whoever wrote it had read the pages, and with some of them their phrases (`asked as`). On the first try, once, after all other sets
 * had been mended: 17 of 30 right, 24 among the first three; the ranking, pages and vocabulary before that had 17 and 25. So what the
 * other sets taught did not carry over to these words. They have been mended by since: what the test says of them now is no forecast.
 */
export const freshQuestions: readonly Question[] = [
  {
    question: 'my teammate should only get 200 pages a month',
    pages: ['rest.md', 'command-line.md', 'settings.md', 'reference/admin-team-set.md'],
  },
  {
    question: 'throw away everything it has stored about one site',
    pages: ['search-index.md', 'command-line.md', 'rest.md'],
  },
  { question: 'grab the mouse from the bot for a moment', pages: ['sessions.md'] },
  { question: 'it keeps showing me yesterday’s stock numbers', pages: ['scrape.md', 'troubleshooting.md', 'rest.md'] },
  {
    question: 'someone stole my key, how do I block it',
    pages: ['command-line.md', 'rest.md', 'reference/admin-key-revoke.md'],
  },
  { question: 'wake me when the concert tickets are below 60 euros', pages: ['monitors.md'] },
  {
    question: 'our wiki is at 10.0.0.7 and it will not open it',
    pages: ['troubleshooting.md', 'settings.md', 'rest.md'],
  },
  { question: 'put nginx with https in front of it', pages: ['rest.md'] },
  {
    question: 'how do I say which fields I want back',
    pages: ['extract.md', 'models.md', 'scrape.md', 'reference/scrape.md'],
  },
  { question: 'which python packages do I need for scripts in the browser', pages: ['session-code.md'] },
  { question: 'the robot pressed buy twice', pages: ['sessions.md'] },
  { question: 'take my saved login with me to another computer', pages: ['browser.md', 'command-line.md'] },
  { question: 'how big may a powerpoint be', pages: ['files.md'] },
  { question: 'can it sum up an article without openai', pages: ['models.md'] },
  {
    question: 'tell me about new openings on a careers page every morning',
    pages: ['monitors.md', 'change-tracking.md'],
  },
  {
    question: 'get all the photos of an article in a web shop',
    pages: ['extract.md', 'scrape.md', 'reference/formats.md', 'reference/scrape.md'],
  },
  { question: 'make the window as small as a tablet', pages: ['browser.md', 'reference/scrape.md'] },
  { question: 'look for pdfs about solar panels from this year', pages: ['search.md', 'reference/search.md'] },
  { question: 'can two people watch the agent at the same time', pages: ['sessions.md'] },
  { question: 'I wrote max_pages by mistake and it still worked', pages: ['input.md'] },
  { question: 'does it phone home', pages: ['rest.md'] },
  { question: 'the page does not exist but I get success', pages: ['scrape.md', 'rest.md', 'crawl.md'] },
  {
    question: 'which of my colleagues used up the credits',
    pages: ['rest.md', 'reference/credit-usage-historical.md'],
  },
  {
    question: 'feed a whole manual to a chatbot as one file',
    pages: ['extract.md', 'command-line.md', 'reference/llmstxt.md', 'crawl-export.md'],
  },
  { question: 'my langchain loader should talk to it', pages: ['clients.md', 'rest.md'] },
  { question: 'does it understand voice messages', pages: ['files.md'] },
  { question: 'how does my build script notice that a crawl failed', pages: ['crawl-export.md', 'command-line.md'] },
  { question: 'I want to see the browser window on my screen', pages: ['sessions.md', 'reference/browser-create.md'] },
  { question: 'my hook gets the same message more than once', pages: ['webhooks.md'] },
  { question: 'who is allowed to look at the dashboard', pages: ['dashboard.md'] },
]

/**
 * Written when all of the above had been mended by, run once, and nothing has been mended by it: 16 of 22 right, all among the first
 * three; the ranking, pages and vocabulary before all that had 16 and 20. Two more were taken out, since no page answers them.
 */
export const untouchedQuestions: readonly Question[] = [
  { question: 'how do I turn off the server when I am done', pages: ['rest.md', 'command-line.md'] },
  { question: 'how many words does the answer have at most', pages: ['clients.md', 'settings.md'] },
  {
    question: 'it reads the English version but I want the Dutch one',
    pages: ['browser.md', 'scrape.md', 'reference/scrape.md'],
  },
  { question: 'the agent should not visit any shop except mine', pages: ['agent.md', 'sessions.md', 'extract.md'] },
  {
    question: 'will the site owner see who I am',
    pages: ['browser.md', 'settings.md', 'scrape.md', 'rest.md', 'crawl.md'],
  },
  {
    question: 'read only chapter three of a page',
    pages: ['clients.md', 'reference/scrape-result.md', 'reference/scrape.md'],
  },
  { question: 'convert the slides of my lecture', pages: ['files.md', 'reference/parse.md'] },
  {
    question: 'I forgot the id of my crawl',
    pages: ['crawl.md', 'rest.md', 'reference/activity.md', 'reference/crawl-active.md'],
  },
  { question: 'do I have to pay when the site is down', pages: ['rest.md', 'reference/formats.md'] },
  { question: 'pdf with handwriting', pages: ['files.md'] },
  { question: 'save the pages so that I can open them in Obsidian', pages: ['crawl-export.md'] },
  { question: 'sign the messages you send me', pages: ['webhooks.md', 'settings.md'] },
  {
    question: 'stop checking the page during my holiday',
    pages: ['monitors.md', 'command-line.md', 'reference/monitor-update.md'],
  },
  { question: 'which search machine answers when I have no key', pages: ['search-providers.md', 'search.md'] },
  { question: 'the model invents prices', pages: ['models.md', 'agent.md', 'extract.md'] },
  { question: 'let it press enter after typing', pages: ['browser.md', 'sessions.md', 'reference/browser-act.md'] },
  { question: 'why does the browser close after ten minutes', pages: ['sessions.md', 'troubleshooting.md'] },
  { question: 'read my bank account', pages: ['browser.md', 'sessions.md'] },
  { question: 'where is the changelog of a page over the last weeks', pages: ['change-tracking.md', 'monitors.md'] },
  { question: 'the output has weird characters', pages: ['troubleshooting.md'] },
  { question: 'python code that takes a screenshot in the session', pages: ['session-code.md', 'sessions.md'] },
  {
    question: 'what do the words in the status column of a job mean',
    pages: ['crawl.md', 'rest.md', 'reference/crawl-status.md', 'reference/activity.md'],
  },
]
