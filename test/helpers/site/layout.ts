export type PageFacts = {
  title: string
  description: string
  path: string
  origin: string
  head?: string
  main: string
}

/** Frame of every page of the site: scripts, navigation, cookie banner, side column, footer. */
export function layout({ title, description, path, origin, head = '', main }: PageFacts): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>${title} | Harbour Weekly</title>
  <meta name="description" content="${description}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta property="og:title" content="${title}">
  <meta property="og:description" content="${description}">
  <meta property="og:image" content="/images/cover.jpg">
  <meta property="og:url" content="${origin}${path}">
  <link rel="canonical" href="${origin}${path}">
  <link rel="icon" href="/favicon.ico">
  <link rel="alternate" type="application/rss+xml" href="/feed">
  <style>.hidden { display: none } .nav a { color: teal }</style>
  <script>window.dataLayer = window.dataLayer || []; dataLayer.push({ event: 'TRACKING_MARKER' })</script>
  ${head}
</head>
<body>
  <a class="skip-link" href="#main">Skip to content</a>
  <header class="site-header">
    <a href="/" class="logo"><img src="/images/logo.svg" alt="Harbour Weekly"></a>
    <nav class="nav" aria-label="Main">
      <ul><li><a href="/">Home</a></li><li><a href="/docs">Docs</a></li><li><a href="/listing">Stories</a></li><li><a href="/product">Shop</a></li><li><a href="/forum">Forum</a></li></ul>
    </nav>
    <form role="search" action="/search"><input name="q" placeholder="Search stories"><button>Search</button></form>
  </header>
  <div id="cookie-banner" class="cookie-consent" role="dialog" aria-label="Cookies">
    <p>We use cookies to improve your experience. COOKIE_MARKER</p><button>Accept all</button><button>Reject</button>
  </div>
  <main id="main">${main}</main>
  <aside class="sidebar related">
    <h2>Related stories</h2>
    <ul><li><a href="/listing?page=2">Older stories</a></li><li><a href="/article?id=tides">How tides are forecast</a></li></ul>
    <div class="newsletter"><p>Get our newsletter. NEWSLETTER_MARKER</p><input type="email"></div>
    <div class="ad" data-ad-slot="1">ADVERT_MARKER</div>
  </aside>
  <footer class="site-footer">
    <p>© 2026 Harbour Weekly. All rights reserved. FOOTER_MARKER</p>
    <a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a> <a href="https://social.example/harbour">Follow us</a>
  </footer>
  <noscript><img src="/pixel.gif" alt=""></noscript>
</body>
</html>
`
}
