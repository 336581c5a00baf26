"""One module a criterion, named by its id: `judge(exchange) -> Judgement` and its EXAMPLES."""
