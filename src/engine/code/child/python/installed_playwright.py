"""The installed Playwright. Its driver starts before the code arrives, and one event loop lasts until the code has ended."""
import asyncio, time
import playwright.async_api as playwright
from playwright_api import SessionPlaywright

loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)


def run_here(coroutine, **_):
    """Playwright's objects can only be used in the loop that made them."""
    return loop.run_until_complete(coroutine)


driver = run_here(playwright.async_playwright().start())
asyncio.run = run_here
playwright.async_playwright = SessionPlaywright
SessionPlaywright.__getattr__ = lambda _, name: getattr(driver, name)
# As in the built-in API: the session has one context.
playwright.Browser.new_page = lambda browser, **_: browser.contexts[0].new_page()


async def target_of(page):
    session = await page.context.new_cdp_session(page)
    info = await session.send('Target.getTargetInfo')
    await session.detach()
    return info['targetInfo']['targetId']


async def connect(job):
    browser = await driver.chromium.connect_over_cdp(job['endpoint'])
    context = browser.contexts[0]
    pages = context.pages
    ids = await asyncio.gather(*map(target_of, pages)) if len(pages) > 1 else []
    current = [page for page, target in zip(pages, ids) if target == job.get('pageId')]
    page = (current or pages[-1:] or [None])[0] or await context.new_page()
    limit = job['actionTimeoutMs']
    context.set_default_timeout(max(limit / 2, min(limit, job['lastStepEndsMs'] - time.time() * 1000)))
    return {'page': page, 'context': context, 'browser': browser, 'Error': playwright.Error, 'TimeoutError': playwright.TimeoutError}


def objects(job):
    return run_here(connect(job))
