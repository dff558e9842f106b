"""The web as a seat sees it: public hosts only, bounded in time and size, one connection per request.

`web.Web` is the fetcher of a network. `replay` holds fetchers that play pages from memory.
"""
