type Question = { question: string; pages: readonly string[] }

/**
 * Written, with the pages where the answer stands, before the ranking or any figure was looked at: 22 of 30 right on the first try,
 * 29 among the first three. What failed was looked at; pairs of words and everyday words for much else came of it, no phrase of these.
 */
export const firstDayQuestions: readonly Question[] = [
  { question: 'will it obey a site that says bots must stay away', pages: ['crawl.md', 'security.md'] },
  { question: 'pull every price out of a shop into one table', pages: ['extract.md'] },
  { question: 'my script dies with "too many" after a few calls', pages: ['troubleshooting.md', 'rest.md'] },
  { question: 'let me watch what it is clicking on', pages: ['sessions.md'] },
  { question: 'keep me signed in until next week', pages: ['browser.md', 'sessions.md'] },
  { question: 'only give me the words without menus and ads', pages: ['scrape.md'] },
  { question: 'ping my server once the job is finished', pages: ['webhooks.md'] },
  { question: 'how do I plug this into Claude', pages: ['clients.md'] },
  {
    question: 'use my own Chrome instead of downloading one',
    pages: ['browser.md', 'settings.md', 'troubleshooting.md'],
  },
  {
    question: 'find out what it costs me per day',
    pages: ['dashboard.md', 'rest.md', 'reference/credit-usage-daily.md'],
  },
  { question: 'stop a job that goes on for ever', pages: ['crawl.md', 'reference/crawl-cancel.md', 'dashboard.md'] },
  { question: 'read a Word document from my disk', pages: ['files.md'] },
  {
    question: 'what happens to a big job if the power goes out halfway',
    pages: ['crawl.md', 'crawl-export.md', 'rest.md'],
  },
  { question: 'make sure nothing about this request is written down', pages: ['scrape.md', 'rest.md', 'security.md'] },
  { question: 'look at the page as if I sat in Germany', pages: ['browser.md', 'scrape.md'] },
  { question: 'find my own saved pages that mention shipping costs, without google', pages: ['search-index.md'] },
  {
    question: 'did anything on their terms and conditions change since last time',
    pages: ['change-tracking.md', 'monitors.md'],
  },
  { question: 'list all addresses of a website without opening them', pages: ['crawl.md', 'reference/map.md'] },
  {
    question: 'the page comes back blank because it is all javascript',
    pages: ['troubleshooting.md', 'browser.md', 'scrape.md'],
  },
  { question: 'get the clip behind a player', pages: ['files.md'] },
  { question: 'my receipts are pictures of paper, can it read them', pages: ['files.md'] },
  { question: 'use a llama on my own machine instead of a cloud service', pages: ['models.md'] },
  { question: 'fill in a form and press send', pages: ['sessions.md', 'browser.md'] },
  { question: 'start a job by hand from the web page and see the line for the terminal', pages: ['dashboard.md'] },
  { question: 'answer a question with sources from several sites', pages: ['agent.md'] },
  { question: 'is it safe to let strangers use my server', pages: ['security.md', 'rest.md'] },
  { question: 'run a bit of python against the open page', pages: ['session-code.md', 'sessions.md'] },
  { question: 'put every page of a site into files on my disk', pages: ['crawl-export.md'] },
  { question: 'it complains about a certificate, go on anyway', pages: ['troubleshooting.md', 'scrape.md'] },
  {
    question: 'give one team more allowance than the others',
    pages: ['rest.md', 'command-line.md', 'reference/admin-team-set.md'],
  },
]

/** Written in the same hour, and never looked into: only its totals are known, 16 and 19 of 20 before that, 17 and 20 after. */
export const secondDayQuestions: readonly Question[] = [
  { question: 'it was killed in the middle, carry on where it stopped', pages: ['crawl-export.md', 'crawl.md'] },
  { question: 'my program sent the same thing twice, do I pay twice', pages: ['rest.md'] },
  { question: 'take a picture of the page from top to bottom', pages: ['browser.md'] },
  { question: 'leave out everything below /archive', pages: ['crawl.md'] },
  { question: 'does it get rid of those consent popups', pages: ['browser.md', 'scrape.md'] },
  { question: 'just the first five pages of a long pdf', pages: ['files.md'] },
  { question: 'where do I see which calls failed today', pages: ['dashboard.md', 'rest.md', 'reference/activity.md'] },
  {
    question: 'give a colleague a key of their own',
    pages: ['command-line.md', 'rest.md', 'reference/admin-key-add.md'],
  },
  { question: 'only results from the last seven days', pages: ['search.md'] },
  { question: 'make it hold on until the table has loaded', pages: ['browser.md', 'scrape.md'] },
  { question: 'complete commands with the tab key', pages: ['command-line.md'] },
  { question: 'it tells me that there is no browser', pages: ['troubleshooting.md', 'browser.md'] },
  { question: 'call it from a typescript project', pages: ['rest.md', 'clients.md', 'sessions.md'] },
  { question: 'make an llms.txt of my site', pages: ['extract.md', 'command-line.md', 'reference/llmstxt.md'] },
  { question: 'for how long can I read old results', pages: ['rest.md', 'settings.md', 'crawl.md'] },
  { question: 'post to our chat when the text of a page is another', pages: ['monitors.md', 'webhooks.md'] },
  { question: 'the site throws me out as a robot', pages: ['troubleshooting.md', 'browser.md'] },
  { question: 'how do I know that a message really comes from you', pages: ['webhooks.md'] },
  { question: 'a person has to type a code from the phone in between', pages: ['sessions.md'] },
  { question: 'try again later by itself if my receiver is down', pages: ['webhooks.md'] },
]

/**
 * Written when both had been measured: 14 of 20 right on the first try, 16 among the first three. What failed was looked at; words that
 * the pages do not have, but a part of, and mistyped ones came of it.
 */
export const thirdDayQuestions: readonly Question[] = [
  { question: 'can two of my scripts use one account at the same time', pages: ['browser.md', 'sessions.md'] },
  { question: 'how much disk will it eat', pages: ['settings.md', 'rest.md', 'search-index.md'] },
  { question: 'is what I ask sent to anybody', pages: ['models.md', 'rest.md', 'security.md'] },
  { question: 'show me only what is different since the last run', pages: ['change-tracking.md', 'monitors.md'] },
  { question: 'open my ebooks', pages: ['files.md'] },
  { question: 'one line in the shell that prints a page', pages: ['command-line.md', 'README.md'] },
  { question: 'hear of each page as it comes in, not at the end', pages: ['webhooks.md', 'crawl.md', 'rest.md'] },
  { question: 'do not let it wander off to other sites', pages: ['crawl.md'] },
  { question: 'how many clicks away from the start does it go', pages: ['crawl.md'] },
  { question: 'do not hit their server so hard', pages: ['crawl.md'] },
  { question: 'run it in a container', pages: ['clients.md', 'rest.md'] },
  { question: 'which search engines does it ask', pages: ['search-providers.md', 'search.md'] },
  { question: 'I want pictures as results instead of pages', pages: ['search.md'] },
  { question: 'let it find out by itself which pages hold the facts', pages: ['extract.md', 'agent.md'] },
  { question: 'what does the number 402 mean', pages: ['troubleshooting.md', 'rest.md', 'reference/errors.md'] },
  { question: 'look at the page every monday morning', pages: ['monitors.md'] },
  { question: 'fewer things in the list that my model has to read', pages: ['clients.md'] },
  { question: 'are the passwords of my accounts safe with it', pages: ['browser.md', 'security.md'] },
  { question: 'the text of the page tells my agent to do bad things', pages: ['security.md'] },
  { question: 'where does it keep everything on my machine', pages: ['rest.md', 'settings.md', 'security.md'] },
]
