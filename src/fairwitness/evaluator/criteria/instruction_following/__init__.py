"""stub"""
from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.reading import demands
from fairwitness.evaluator.criteria.instruction_following.checking import check

