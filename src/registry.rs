//! The kits of the games of this crate.

mod bagh_chal;
mod y;

#[cfg(test)]
mod tests {
    use crate::game::Game;
    use crate::games::{bagh_chal, y};
    use crate::kit::{Kit, SearchSetup, network_player};
    use crate::network::{Activation, Architecture, Network};
    use crate::search::Limits;

    fn check_networks<G: Kit>() {
        for set in G::feature_sets() {
            let architecture = Architecture::new(G::NAME, set.id.clone(), &[8], Activation::ScRelu);
            let network = Network::random(architecture, 1).unwrap();
            let setup = SearchSetup::with_limits(Limits::depth(2));
            let make = network_player::<G>(&network, &setup, None).unwrap();
            let report = make().pick_move(&G::start(&G::Rules::default()), &[]);
            assert_eq!(report.depth, 2, "{}", set.id.name);
        }
    }

    fn check_bench<G: Kit>() {
        let positions = G::bench_positions();
        assert!(positions.len() > 1);
        let mut outcomes = positions.iter().map(Game::outcome);
        assert!(outcomes.all(|outcome| outcome.is_none()));
    }

    #[test]
    fn a_network_of_every_feature_set_makes_a_player() {
        check_networks::<bagh_chal::Position>();
        check_networks::<y::Position>();
    }

    #[test]
    fn bench_positions_are_unfinished() {
        check_bench::<bagh_chal::Position>();
        check_bench::<y::Position>();
    }
}
