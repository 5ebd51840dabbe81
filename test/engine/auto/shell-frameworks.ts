import { bundle, html, links } from './shape.ts'

const beg = '<noscript>You need to enable JavaScript to run this app.</noscript>'
const root = (id: string, inside = '') => `<div id="${id}">${inside}</div>`

/** Pages of frameworks without server-side rendering. */
export const frameworkShells: readonly (readonly [name: string, html: string])[] = [
  ['React with Vite', html(`${root('root')}${bundle}`, { head: '<link rel="icon" href="/vite.svg">' })],
  [
    'Create React App',
    html(`${beg}${root('root')}`, {
      head: '<script defer src="/static/js/main.4f3a.js"></script><link href="/static/css/main.css" rel="stylesheet">',
    }),
  ],
  ['React beside a place for portals', html(`${root('root')}${root('modal-root')}${root('portal')}${bundle}`)],
  ['Vue with Vite', html(`<div id="app"></div>${bundle}`)],
  [
    'Vue CLI',
    html(
      `<noscript><strong>We're sorry but shop doesn't work properly without JavaScript enabled. Please enable it to continue.</strong></noscript><div id="app"></div><script src="/js/app.js"></script>`,
    ),
  ],
  [
    'Vue with its template in the page',
    html(`<div id="app" v-cloak><router-view></router-view></div><script src="/js/vue.js"></script>`),
  ],
  [
    'Angular',
    html(
      `<app-root></app-root><script src="runtime.js" type="module"></script><script src="main.js" type="module"></script>`,
      { head: '<base href="/">' },
    ),
  ],
  ['Angular with a word', html(`<app-root>Loading...</app-root><script src="main.js" type="module"></script>`)],
  [
    'Svelte',
    html(`<script type="module" src="/build/bundle.js"></script>`, {
      head: '<link rel="stylesheet" href="/build/bundle.css">',
    }),
  ],
  [
    'SvelteKit without a server',
    html(
      `<div style="display: contents"><script>{__sveltekit_1={base:""};const element=document.currentScript.parentElement;import("/_app/start.js").then((kit)=>kit.start(element))}</script></div>`,
    ),
  ],
  [
    'Nuxt 2 with its loading page',
    html(
      `<div id="__nuxt"><style>#nuxt-loading{position:fixed}</style><div id="nuxt-loading" aria-live="polite" role="status"><div>Loading...</div></div></div><script src="/_nuxt/app.js"></script>`,
    ),
  ],
  [
    'Next on the client only',
    html(
      `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{}},"page":"/","nextExport":true}</script><script src="/_next/static/chunks/main.js"></script>`,
    ),
  ],
  [
    'Next that left rendering to the client',
    html(
      `<!--$!--><template data-dgst="BAILOUT_TO_CLIENT_SIDE_RENDERING"></template><!--/$--><script>(self.__next_f=self.__next_f||[]).push([0])</script><script src="/_next/static/chunks/main-app.js"></script>`,
    ),
  ],
  [
    'Gatsby without a server',
    html(
      `<noscript id="gatsby-noscript">This app works best with JavaScript enabled.</noscript><div id="___gatsby"></div><script src="/app.js"></script>`,
    ),
  ],
  [
    'Ember',
    html(
      `<script src="/assets/vendor.js"></script><script src="/assets/shop.js"></script><div id="ember-basic-dropdown-wormhole"></div>`,
      { head: '<meta name="shop/config/environment" content="%7B%7D">' },
    ),
  ],
  [
    'Blazor',
    html(
      `<div id="app"><svg class="loading-progress"><circle r="40%"></circle></svg><div class="loading-progress-text"></div></div><div id="blazor-error-ui">An unhandled error has occurred. <a href="" class="reload">Reload</a> <a class="dismiss">🗙</a></div><script src="_framework/blazor.webassembly.js"></script>`,
    ),
  ],
  [
    'Flutter',
    html(`<script src="flutter_bootstrap.js" async></script>`, {
      head: '<base href="/"><link rel="manifest" href="manifest.json">',
    }),
  ],
  ['Lit', html(`<shop-app unresolved></shop-app><script type="module" src="/src/shop-app.js"></script>`)],
  ['Ext JS', html(`<div class="x-mask x-loading">Loading...</div><script src="/ext-all.js"></script>`)],
  [
    'an app in a frame of links',
    html(
      `<header><a href="/">Acme</a><ul>${links(['Mugs', 'Plates'])}</ul></header><div id="app"></div><footer>© Acme</footer>${bundle}`,
    ),
  ],
]
