import { describe, expect, it } from 'vitest'
import { main, page, prose } from './frame.ts'
import { markdownOf } from './read.ts'

/** Two posts that every page of this file contains: a question and its answer. */
const question = 'Has anybody kept bees on a balcony?'
const answer = 'Yes, it works well when the wind is not strong.'
const thread = { ...main, url: 'https://forum.ex.com/threads/bees.1/' }
const board = (content: string, after = '') =>
  page(`<div id="content"><h1>Bees</h1><div class="posts">${content}</div>${after}</div>`)

type PostData = { author: string; iso: string; text: string; sign?: string }
const posts: PostData[] = [
  { author: 'Anna', iso: '2024-05-01', text: question, sign: 'Best regards from the hive' },
  { author: 'Ben', iso: '2024-05-02', text: answer },
]

const xenforo = ({ author, iso, text, sign }: PostData) => `
  <article class="message message--post" data-author="${author}"><div class="message-inner">
    <div class="message-cell message-cell--user"><section class="message-user"><h4 class="message-name">
      <span class="username">${author}</span></h4><h5 class="userTitle">Member</h5><dl class="pairs"><dt>Joined</dt><dd>Jan 4, 2011</dd></dl></section></div>
    <div class="message-cell message-cell--main"><header class="message-attribution"><ul class="message-attribution-main"><li>
      <time class="u-dt" datetime="${iso}T10:00:00+0000">Yesterday at 4:25 AM</time></li><li><a href="/post-1">#1</a></li></ul></header>
      <div class="message-content"><div class="message-userContent"><article class="message-body"><div class="bbWrapper">${text}</div></article></div>
      ${sign ? `<aside class="message-signature"><div class="bbWrapper">${sign}</div></aside>` : ''}</div>
      <footer class="message-footer"><a class="actionBar-action">Like</a></footer></div></div></article>`

const phpbb = ({ author, iso, text, sign }: PostData) => `
  <div id="p1" class="post has-profile bg2"><div class="inner"><dl class="postprofile"><dt><a class="username" href="/m">${author}</a></dt>
    <dd class="profile-posts"><strong>Posts:</strong> 12</dd><dd><strong>Joined:</strong> Mon Jan 04, 2010</dd></dl>
  <div class="postbody"><div id="post_content1"><h3><a href="#p1">Re: Bees</a></h3>
    <p class="author">by <strong><a class="username" href="/m">${author}</a></strong> » <time datetime="${iso}T10:00:00+00:00">Wed 10:00 am</time></p>
    <div class="content">${text}</div>${sign ? `<div class="signature">${sign}</div>` : ''}</div></div></div></div>`

const vbulletin = ({ author, iso, text, sign }: PostData) => `
  <li class="postbitlegacy postcontainer old"><div class="posthead"><span class="postdate">${iso.replace(/(\d+)-(\d+)-(\d+)/, '$2-$3-$1')}, 10:00 AM</span> <a class="postcounter">#1</a></div>
  <div class="postdetails"><div class="userinfo"><div class="username_container"><a class="username offline"><strong>${author}</strong></a></div>
    <dl class="userinfo_extra"><dt>Join Date</dt><dd>Jan 2010</dd></dl></div>
  <div class="postbody"><div class="content"><div id="post_message_1"><blockquote class="postcontent restore">${text}</blockquote></div></div>
    ${sign ? `<blockquote class="signature restore">${sign}</blockquote>` : ''}</div></div></li>`

const discourse = ({ author, iso, text }: PostData) => `
  <div class="topic-body crawler-post" itemprop="comment" itemscope><div class="crawler-post-meta"><span class="creator" itemprop="author" itemscope>
    <a href="/u/x"><span itemprop="name">${author}</span></a></span><span class="crawler-post-infos"><time itemprop="datePublished" datetime="${iso}T10:00:00Z" class="post-time">May 2024</time> <span itemprop="position">1</span></span></div>
  <div class="post" itemprop="text"><p>${text}</p></div><div itemprop="interactionStatistic"><span>3 Likes</span></div></div>`

const stackExchange = ({ author, iso, text }: PostData) => `
  <div class="answer js-answer"><div class="post-layout"><div class="votecell"><div class="js-vote-count">17</div></div>
  <div class="answercell"><div class="s-prose js-post-body" itemprop="text"><p>${text}</p></div>
    <div class="post-signature"><div class="user-info"><div class="user-action-time">edited <span title="2024-06-30 08:00:00Z" class="relativetime">Jun 30, 2024</span></div><div class="user-details">Editor</div></div></div>
    <div class="post-signature"><div class="user-info"><div class="user-action-time">answered <span title="${iso} 10:00:00Z" class="relativetime">1 hour ago</span></div>
      <div class="user-details" itemprop="author" itemscope><a href="/users/1">${author}</a><span class="reputation-score">4,242</span></div></div></div></div></div></div>`

const reddit = ({ author, iso, text }: PostData) => `
  <div class="thing comment" data-author="${author}"><div class="midcol"><div class="arrow up"></div></div><div class="entry">
    <p class="tagline"><a class="author" href="/user/x">${author}</a> <span class="score">12 points</span> <time datetime="${iso}T10:00:00+00:00">13 hours ago</time></p>
    <form class="usertext"><div class="usertext-body"><div class="md"><p>${text}</p></div></div></form><ul class="flat-list"><li><a href="#">permalink</a></li></ul></div></div>`

const invision = ({ author, iso, text, sign }: PostData) => `
  <article class="cPost ipsBox ipsComment"><aside class="ipsComment_author cAuthorPane"><h3 class="cAuthorPane_author"><a href="/profile/1">${author}</a></h3>
    <ul class="cAuthorPane_info"><li>Members</li><li>9 posts</li></ul></aside><div class="ipsColumn"><div class="ipsComment_meta"><a href="#">Posted <time datetime="${iso}T10:00:00Z">May 2024</time></a></div>
    <div class="cPost_contentWrap"><div data-role="commentContent" class="ipsType_richText ipsType_normal"><p>${text}</p></div></div>
    ${sign ? `<div data-role="memberSignature" class="ipsSignature sig">${sign}</div>` : ''}</div></article>`

const fluxbb = ({ author, iso, text, sign }: PostData) => `
  <div id="p1" class="blockpost rowodd"><h2><span class="conr">#1</span> <a href="#p1">${iso} 10:59:47</a></h2><div class="box"><div class="inbox"><div class="postbody">
    <div class="postleft"><dl><dt><strong>${author}</strong></dt><dd>Member</dd><dd>Registered: 2010-01-27</dd><dd>Posts: 98</dd></dl></div>
    <div class="postright"><div class="postmsg"><p>${text}</p></div>${sign ? `<div class="postsignature postmsg"><p>${sign}</p></div>` : ''}</div></div></div></div></div>`

const software: [string, (post: PostData) => string, string][] = [
  ['XenForo', xenforo, '2024-05-01'],
  ['phpBB', phpbb, '2024-05-01'],
  ['vBulletin', vbulletin, '05-01-2024'],
  ['Discourse', discourse, '2024-05-01'],
  ['Stack Exchange', stackExchange, '2024-05-01'],
  ['Reddit', reddit, '2024-05-01'],
  ['Invision', invision, '2024-05-01'],
  ['FluxBB', fluxbb, '2024-05-01'],
]

describe.each(software)('a thread of %s', (_, post, day) => {
  const markdown = markdownOf(board(posts.map(post).join('')), thread)
  const lines = markdown.split('\n').map((line) => line.replace(/^\s*(?:>|-|\d+\.)\s+/, ''))

  it('opens every post with its author and day, in order', () => {
    expect(lines.filter((line) => line.startsWith('**'))).toEqual([
      `**Anna** · ${day}`,
      expect.stringMatching(/^\*\*Ben\*\* · /),
    ])
    expect(lines.indexOf(question)).toBeGreaterThan(lines.indexOf(`**Anna** · ${day}`))
    expect(lines.indexOf(answer)).toBeGreaterThan(lines.indexOf(question))
  })

  it('contains only its title and the posts', () => {
    expect(lines[0]).toBe('# Bees')
    expect(lines.filter((line) => line.trim() !== '')).toEqual([
      '# Bees',
      expect.any(String),
      question,
      expect.any(String),
      answer,
    ])
  })
})

const shortComment = (author: string, text: string) =>
  `<li class="comment"><div class="comment-score"><span class="cool">2</span></div><div class="comment-text"><div class="comment-body"><span class="comment-copy">${text}</span>
    <div class="d-inline-flex">– <a class="comment-user" href="/users/3">${author}</a></div><span class="comment-date"><a href="#c2"><span title="2024-05-03 10:00:00Z">Commented May 3, 2024</span></a></span></div></div></li>`

describe('a thread', () => {
  it('omits prompts and other threads around its posts', () => {
    const after = `<a class="button" href="/login">You must log in or register to reply here.</a>
      <div class="block"><h3>Similar threads</h3><ul><li><a href="/t/2">Wasps in the attic</a></li><li><a href="/t/3">Honey prices</a></li></ul></div>`
    const markdown = markdownOf(board(posts.map(xenforo).join(''), after), thread)
    expect(markdown).not.toMatch(/log in|Similar|Wasps/)
    expect(markdown).toContain(answer)
  })

  it('keeps pictures attached to a post', () => {
    const post = xenforo(posts[1] as PostData).replace(
      '<footer',
      '<section class="message-attachments"><img src="/hive.jpg" alt="Hive"></section><footer',
    )
    expect(markdownOf(board(xenforo(posts[0] as PostData) + post), thread)).toContain(
      '![Hive](https://forum.ex.com/hive.jpg)',
    )
  })

  it('keeps short comments whose text is inline, without their controls', () => {
    const comments = `<ul class="comments-list">${shortComment('Cleo', 'Which floor?')}${shortComment('Dan', 'Or a roof.')}</ul>`
    const markdown = markdownOf(
      board(stackExchange(posts[0] as PostData) + comments + stackExchange(posts[1] as PostData)),
      thread,
    )
    expect(markdown).toMatch(/- \*\*Cleo\*\* · .*\n\n  Which floor\?\n- \*\*Dan\*\* · .*\n\n  Or a roof\.\n\n/)
  })

  it('is recognised by its posts if nothing else marks a forum', () => {
    const more = [...posts, { author: 'Cleo', iso: '2024-05-03', text: prose('balconies') }]
    const markdown = markdownOf(board(more.map(phpbb).join('')), { ...main, url: 'https://ex.com/about/bees' })
    expect(markdown).toContain('**Cleo** · 2024-05-03')
  })

  it('does not include comments below an article', () => {
    const comments = posts.map(
      ({ author, text }) =>
        `<div class="comment"><b class="author">${author}</b><div class="comment-body">${text}</div></div>`,
    )
    const article = `<article><h1>Bees</h1>${prose('bees').repeat(4)}</article><div id="comments">${comments.join('')}</div>`
    expect(markdownOf(page(article), main)).not.toContain('Anna')
  })
})
