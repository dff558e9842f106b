# Everything a newcomer needs. `make` alone prints the targets; each calls one script in scripts/.
# Options go through ARGS, for example: make up ARGS="--port 4001 --seats 7"

.DEFAULT_GOAL := help
.PHONY: help demo up test screens wheel check bench lock golden changelog

help: ## Print these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r name text; do printf '%-17s %s\n' "$$name" "$$text"; done

demo: ## Watch work orders settle from open to paid, offline, in under 15 seconds
	@scripts/demo $(ARGS)

up: ## Run a GenLayer network on this machine, with the Foreman contracts deployed
	@scripts/up $(ARGS)

test: ## Run the tests; FOREMAN_SLOW=1 adds the long ones, ARGS=browser runs the browser tests
	@scripts/test $(ARGS)

screens: ## Take a picture of every page of the web app, narrow and wide, light and dark
	@scripts/screens $(ARGS)

wheel: ## Build the wheel into dist/, with the contracts and the web app in it
	@scripts/wheel $(ARGS)

check: ## Lint, formats, types, architecture, shared contract blocks
	@scripts/check $(ARGS)

bench: ## Measure every performance claim
	@scripts/bench $(ARGS)

lock: ## Lock the dependencies again, with hashes, after a change of requirements*.in
	@scripts/lock $(ARGS)

golden: ## Rewrite the golden files, for you to review as a diff
	@scripts/golden $(ARGS)

changelog: ## Assemble CHANGELOG.md from changes/
	@scripts/changelog.py $(ARGS)
